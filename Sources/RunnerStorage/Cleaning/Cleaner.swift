internal import Glibc
package import RunnerJob
internal import RunnerPlan

/// Finds what a job has left and does not need, and removes it when asked to.
///
/// The caller holds the job's lease, so that no run of the job writes meanwhile.
package struct Cleaner: Sendable {
    let directory: JobDirectory
    let folder: StateFolder
    /// The job's identity.
    let job: String
    let rules: CleanRules
    /// Seconds since 1970.
    let now: Int64
    /// What the job names now, as paths and as the files that lie there.
    let wanted: Set<ExactText>
    private let wantedFiles: Set<FileIdentity>
    /// Destinations that nothing is fetched for any more.
    let inPlace: Set<ExactText>
    private let unnamed: [ServerName]
    let states: PartStates

    private struct FileIdentity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// - Parameters:
    ///   - wanted: every path that the whole job names now, not only the tasks that were chosen.
    ///   - inPlace: those of them whose files are there as the job wants them, under the names of their parts.
    ///   - unnamed: destinations whose names are not known; any file that may be one of them stays.
    package init(
        directory: JobDirectory, folder: StateFolder, job: String, wanted: [TargetPath], inPlace: [TargetPath] = [],
        unnamed: [ServerName] = [], rules: CleanRules, now: Int64
    ) {
        self.unnamed = unnamed
        self.directory = directory
        self.folder = folder
        self.job = job
        self.rules = rules
        self.now = now
        self.wanted = Set(wanted.map { Self.relative($0, to: directory.root) })
        self.inPlace = Set(inPlace.map { Self.relative($0, to: directory.root) })
        // One file can be reached by an absolute path and a relative one, and through a link in the former.
        wantedFiles = Set(
            wanted.compactMap { path in
                directory.fullStatus(of: path).map { FileIdentity(device: $0.device, inode: $0.inode) }
            })
        states = PartStates(folder: folder, job: job)
    }

    /// What there is to remove; changes nothing.
    package func find() -> (items: [CleanItem], warning: LedgerWarning?) {
        let reader = LedgerReader(folder: folder, directory: directory)
        let owned = reader.files(of: job)
        let runs = reader.runs(of: nil, limit: .max)
        let items = parts(owned.value) + downloads(owned.value) + reports(runs.value) + leftovers()
        return (items, owned.warning ?? runs.warning)
    }

    /// Whether the job names a path, or a folder that it lies in.
    func isWanted(_ path: TargetPath) -> Bool {
        if unnamed.contains(where: { $0.mayBe(path) }) { return true }
        var text = Self.relative(path, to: directory.root).text
        while true {
            if wanted.contains(ExactText(text)) { return true }
            guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")), slash > text.startIndex else { return false }
            text = String(text[..<slash])
        }
    }

    private func downloads(_ owned: [OwnedFile]) -> [CleanItem] {
        let candidates = owned.compactMap { file -> CleanDecision.Candidate? in
            guard let status = directory.fullStatus(of: file.path), status.kind == .file else { return nil }
            let identity = FileIdentity(device: status.device, inode: status.inode)
            return CleanDecision.Candidate(
                file, allocated: status.allocated,
                isWanted: isWanted(file.path) || wantedFiles.contains(identity),
                isUnchanged: file.record.fits(status.state))
        }
        return CleanDecision.downloads(candidates, rules: rules, now: now)
    }

    private func reports(_ runs: [RunRow]) -> [CleanItem] {
        let ours = CleanDecision.runs(runs.filter { ExactText($0.job) == ExactText(job) }, now: now &* 1000)
        let known = Set(runs.compactMap { run in run.report.map { ExactText($0) } })
        let strays = folder.names(in: "reports").map { "reports/\($0)" }.filter { !known.contains(ExactText($0)) }
        return ours.map { run, reason in
            CleanItem(
                .report(run: run.run), path: run.report ?? "", bytes: run.report.map { size(ofState: $0) } ?? 0, reason)
        } + strays.compactMap { old($0, .report(run: nil), limit: CleanDecision.reportAge) }
    }

    /// Files that a killed process left in the state folder, and ledgers that were set aside long ago.
    private func leftovers() -> [CleanItem] {
        let names =
            folder.names(in: ".")
            + ["parts", "leases", "lists", "settled"].flatMap { sub in
                folder.names(in: sub).map { "\(sub)/\($0)" }
            }
        return names.sorted().compactMap { name in
            if name.hasSuffix(".tmp") { return old(name, .leftover, limit: .seconds(86_400)) }
            guard name.hasPrefix(LedgerFile.name + ".damaged-") else { return nil }
            return old(name, .leftover, limit: .seconds(30 * 86_400))
        }
    }

    private func old(_ name: String, _ kind: CleanItem.Kind, limit: Duration) -> CleanItem? {
        guard let status = stateStatus(name), status.kind == .file else { return nil }
        let age = age(of: status)
        guard age > limit else { return nil }
        return CleanItem(kind, path: name, bytes: status.allocated, .tooOld(age: age, limit: limit))
    }

    func age(of status: FileStatus) -> Duration {
        .seconds(max(0, now.subtractingReportingOverflow(status.modified / 1_000_000_000).partialValue))
    }

    private func size(ofState name: String) -> Int64 { stateStatus(name)?.allocated ?? 0 }

    private func stateStatus(_ name: String) -> FileStatus? {
        try? directory.files.status(of: "\(folder.path)/\(name)", in: AT_FDCWD)
    }

    /// A path as it is compared: relative where it lies in the job's directory.
    static func relative(_ path: TargetPath, to root: String) -> ExactText {
        let prefix = root.hasSuffix("/") ? root : root + "/"
        guard path.text.utf8.starts(with: prefix.utf8) else { return path.path }
        return ExactText(String(decoding: path.text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
}
