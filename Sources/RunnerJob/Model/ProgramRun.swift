/// A run task: a program with its arguments, without a shell.
public struct ProgramRun: Sendable, TaskWork {
    public static let kind = TaskKind.run

    /// One of the program or its arguments.
    public struct Argument: Hashable, Sendable {
        public var text: String
        public var hasSecret: Bool

        public init(_ text: String, hasSecret: Bool = false) {
            self.text = text
            self.hasSecret = hasSecret
        }
    }

    /// Never empty.
    public var arguments: [Argument]
    /// Variables that it gets beside PATH, HOME and LANG.
    public var environment: [NamedValue]
    /// Where it works; nil for the job's directory.
    public var folder: PathInput?
    /// What it is said to read and write.
    public var reads: [PathInput]
    public var outputs: [PathOutput]
    /// Exit statuses that count as success.
    public var statuses: Set<Int>

    public init(
        arguments: [Argument], environment: [NamedValue] = [], folder: PathInput? = nil, reads: [PathInput] = [],
        outputs: [PathOutput] = [], statuses: Set<Int> = [0]
    ) {
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.reads = reads
        self.outputs = outputs
        self.statuses = statuses
    }

    public var inputs: [PathInput] { (folder.map { [$0] } ?? []) + reads }
    public var mayWriteMore: Bool { true }
    public var targetText: String { outputs.first?.path.text ?? "" }

    /// The command on one line, with `***` for what holds a secret.
    public var sourceText: String {
        let words = arguments.map { argument -> String in
            if argument.hasSecret { return "***" }
            let isPlain =
                !argument.text.isEmpty && argument.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x22 }
            return isPlain ? argument.text : "\"\(argument.text)\""
        }
        let line = words.joined(separator: " ")
        return String(decoding: line.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }

    /// Secrets do not count: they change, and what they let in does not.
    public var fingerprint: Int64? {
        var fingerprint = Fingerprint()
        for argument in arguments { fingerprint.add(argument.hasSecret ? nil : argument.text) }
        fingerprint.add("env")
        for variable in environment {
            fingerprint.add(variable.name)
            fingerprint.add(variable.hasSecret ? nil : variable.value)
        }
        fingerprint.add(folder?.path.text)
        for input in reads { fingerprint.add(input.path.text) }
        fingerprint.add("to")
        for output in outputs { fingerprint.add(output.path.text) }
        for status in statuses.sorted() { fingerprint.add("\(status)") }
        return fingerprint.value
    }
}
