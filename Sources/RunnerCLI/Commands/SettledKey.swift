internal import Glibc
internal import RunnerExecution
internal import RunnerJob
internal import RunnerStorage

/// What a job is read from, all of it, as one digest: two runs with one key would plan the same, were the disk the same.
struct SettledKey {
    let source: JobSource
    /// The value of `--report`, which must not be what a task writes.
    let report: String?
    let context: Context

    /// Asks a run of the job to leave word where all is in place at its end.
    func order(for job: Job) -> SettlementOrder? {
        guard !job.reliance.isFleeting, let text = job.sources.files.first?.bytes,
            let digest = try? DigestSet.digest(of: text, by: .sha256).hex
        else { return nil }
        let variables = Array(job.reliance.variables)
        return bytes(job: digest, variables: variables, files: job.reliance.files).map {
            SettlementOrder(key: $0, variables: variables, inputs: Array(job.reliance.files.keys))
        }
    }

    /// - Parameters:
    ///   - job: SHA-256 of the job file, in hexadecimal digits.
    ///   - files: the other files, by their absolute paths.
    /// - Returns: nil where it cannot be told which program this is.
    func bytes(job: String, variables: [String], files: [String: Reliance.FileContent]) -> [UInt8]? {
        guard let program = Self.program() else { return nil }
        var text: [String] = [Program.version] + program
        let arguments = source.arguments
        text += [source.name, context.workingDirectory, job]
        text += [arguments.directory, arguments.state, report].map { $0.map { "=" + $0 } ?? "" }
        text += [arguments.forbidsPrograms ? "no-run" : ""]
        for list in [arguments.variableFiles, arguments.only] { text += ["\(list.count)"] + list }
        for (name, value) in arguments.overrides.sorted(by: { $0.key < $1.key }) { text += [name, value] }
        for name in variables.sorted() { text += [name, context.environment[name].map { "=" + $0 } ?? ""] }
        for (path, content) in files.sorted(by: { $0.key < $1.key }) { text += [path, Self.text(content)] }
        // With their lengths, so that no two lists read alike.
        let joined = text.map { "\($0.utf8.count):\($0)" }.joined()
        return try? DigestSet.digest(of: Array(joined.utf8), by: .sha256).bytes
    }

    private static func text(_ content: Reliance.FileContent) -> String {
        switch content {
        case .bytes(let sha256): sha256.map { String($0, radix: 16) }.joined(separator: " ")
        case .unreadable: ""
        }
    }

    /// The file of this program: another build may read a job in another way.
    private static func program() -> [String]? {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return nil }
        return [
            "\(status.st_size)", "\(status.st_ino)", "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)",
        ]
    }
}
