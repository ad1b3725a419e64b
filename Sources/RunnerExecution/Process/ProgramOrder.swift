/// A program to run, and what it may do.
struct ProgramOrder: Sendable {
    /// The program and its arguments; never empty.
    var arguments: [String]
    /// All of the program's environment.
    var environment: [String: String]
    /// Absolute path of the folder that it works in.
    var folder: String
    /// What it reads from standard input; nil for an empty one.
    var input: [UInt8]?
    /// Bytes of its output that are kept: the first and the last ones.
    var outputCeiling = 64 << 10
    /// Longest time that it may take; nil for any.
    var timeout: Duration?
    /// Time between being asked to end (SIGTERM) and being ended (SIGKILL).
    var grace = Duration.seconds(5)

    init(_ arguments: [String], environment: [String: String], folder: String) {
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
    }

    /// The environment of a program that is given no other: where programs are, whose home it is, how text is read.
    static func cleanEnvironment(of environment: [String: String]) -> [String: String] {
        var clean = ["PATH": standardPath]
        for name in ["PATH", "HOME", "LANG"] {
            if let value = environment[name] { clean[name] = value }
        }
        return clean
    }

    /// Where programs are looked for when nothing says where (environ(7)).
    static let standardPath = "/usr/local/bin:/usr/bin:/bin"
}

/// What became of a program.
struct ProgramResult: Sendable {
    enum End: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// It took longer than it may, and was ended.
        case timedOut(Duration)
        /// It was ended because the caller asked for it.
        case stopped
    }

    var end: End
    /// Standard output and standard error, as they came.
    var output: CapturedOutput
}

/// Why a program did not run at all.
enum ProgramFault: Error, Hashable, Sendable {
    /// No folder of `PATH` holds it, or no file is there.
    case notFound(program: String, path: String?)
    /// It is there, and may not be executed.
    case notExecutable(path: String)
    /// It is a script whose interpreter is not there, or no program at all.
    case noInterpreter(path: String)
    case noProgram(path: String)
    case folder(path: String, errno: Int32)
    case system(call: String, errno: Int32)
}
