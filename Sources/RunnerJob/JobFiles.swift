/// How the files are read and the commands run that a job file names: a way to the system that the caller lends.
public struct JobFiles: Sendable {
    /// Hands over the content of a file piece by piece, until the closure that takes it answers false.
    ///
    /// The path is absolute, or ``standardInput``.
    public typealias Read =
        @Sendable (
            _ path: String, _ take: (ArraySlice<UInt8>) -> Bool
        ) throws(JobFileFault) -> Void

    /// Runs a program, given as its words, and returns what it writes to standard output.
    public typealias Run = @Sendable (_ words: [String]) throws(JobFileFault) -> [UInt8]

    /// The path of standard input.
    public static let standardInput = "-"

    /// No file can be read.
    public static let none = JobFiles(read: { (_, _) throws(JobFileFault) in
        throw JobFileFault(reason: "no other files can be read here")
    })

    public let read: Read
    public let run: Run

    public init(
        read: @escaping Read,
        run: @escaping Run = { (_) throws(JobFileFault) in
            throw JobFileFault(reason: "no commands can be run here")
        }
    ) {
        self.read = read
        self.run = run
    }

    /// The whole content of a file.
    func content(of path: String, atMost ceiling: Int) throws(JobFileFault) -> [UInt8] {
        var content: [UInt8] = []
        try read(path) { piece in
            content += piece
            return content.count <= ceiling
        }
        if content.count > ceiling { throw JobFileFault(reason: "it has more than \(ceiling >> 20) MiB") }
        return content
    }
}

/// Why a file that a job file names could not be read, or a command not run, in words without its name.
public struct JobFileFault: Error, Hashable, Sendable {
    public var reason: String
    /// Whether there is no such file.
    public var isMissing: Bool

    public init(reason: String, isMissing: Bool = false) {
        self.reason = reason
        self.isMissing = isMissing
    }
}
