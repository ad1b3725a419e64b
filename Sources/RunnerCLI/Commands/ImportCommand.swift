internal import Glibc
package import RunnerExecution
internal import RunnerImport
internal import RunnerJob
internal import RunnerReport

/// `runner import`: makes a job file of the list of another program.
package struct ImportCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "import", summary: "Make a job file of another program's list",
        description: [
            "Reads an input file of aria2, a configuration file of curl, Metalink, a list of URLs as wget takes it, a "
                + "checksum list such as SHA256SUMS, or a table in CSV, TSV or JSON lines, and writes a job file that "
                + "fetches the same. Nothing is fetched.",
            "What of the list has no counterpart is told, and left out. Passwords and tokens are not copied: the job "
                + "names a secret for each.",
        ],
        operand: CommandSpec.Operand(ValueSpec("FILE", .file)),
        options: [.listFormat, .base, .jobFile, .quiet, .color],
        examples: [
            CommandSpec.Example("runner import files.meta4 -o job.yaml", "make a job of a Metalink"),
            CommandSpec.Example(
                "runner import SHA256SUMS --base https://example.org/pub/", "fetch all files of a checksum list"),
            CommandSpec.Example("runner import urls.txt | runner run -", "fetch a list of URLs at once"),
        ])

    private let name: String
    private let format: ListFormat?
    private let base: SourceURL?
    private let output: String?
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let name = arguments.operands.first else { throw .missingOperand("FILE") }
        self.name = name
        format = arguments.value(.listFormat).flatMap(ListFormat.init)
        output = arguments.value(.jobFile)
        base = try arguments.value(.base).map { (text) throws(UsageError) in
            do throws(URLFault) {
                return try SourceURL(text, at: Place(line: 1, column: 1))
            } catch {
                throw .invalidValue(
                    option: OptionSpec.base.spelling, value: Redactor().url(text), wanted: "a URL: \(error.description)"
                )
            }
        }
        if let output, output.isEmpty || output.hasSuffix("/") {
            throw .invalidValue(option: OptionSpec.jobFile.spelling, value: output, wanted: "the name of a file")
        }
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context)
        let isStandardInput = name == JobSource.standardInput
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes =
                isStandardInput ? try context.readInput() : try FileContent.read(context.absolute(name), named: name)
        } catch {
            context.console.message(["runner: error: " + error.message])
            return .usage
        }
        let shownName = isStandardInput ? "<stdin>" : name
        do throws(JobFaults) {
            let outcome = try ListImporter.read(bytes, named: shownName, as: format, base: base)
            if messages.verbosity != .quiet { planning.tell(outcome.warnings, sources: outcome.sources) }
            return write(outcome, in: context)
        } catch {
            planning.tell(error.diagnostics, sources: error.sources)
            return .usage
        }
    }

    private func write(_ outcome: ListImporter.Outcome, in context: Context) -> ExitStatus {
        guard let output, output != JobSource.standardInput else {
            context.console.data(text: outcome.text)
            return .success
        }
        if let code = Self.create(context.absolute(output), outcome.text) {
            let advice = code == EEXIST ? "; give another name, or move it away" : ""
            context.console.message(["runner: error: \(FileFault(path: output, code: code).message)\(advice)"])
            return .cannotGoOn
        }
        if messages.verbosity != .quiet {
            let count = "\(outcome.count) \(outcome.count == 1 ? "download" : "downloads")"
            context.console.message(["\(output.printable): \(count), from \(outcome.format.title)"])
        }
        return .success
    }

    /// Writes a file that is not there yet.
    ///
    /// - Returns: a value of errno(3) where that failed; nothing is left there then.
    private static func create(_ path: String, _ text: String) -> Int32? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return errno }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                unlink(path)
                return code
            }
            rest = rest.dropFirst(count)
        }
        return close(descriptor) == 0 ? nil : errno
    }
}
