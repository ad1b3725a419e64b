internal import Glibc
internal import RunnerExecution
internal import RunnerReport

extension Program {
    /// Runs the command line of this process, and ends it with the command's status.
    ///
    /// The main thread waits for signals and does nothing else; the command runs on the threads of Swift's executor,
    /// which start after the signals are blocked and so never take one.
    ///
    /// It ends by _exit(2): exit(3) has libraries let go of what they hold, which threads that are still at work use.
    public static func main() -> Never {
        // A reader that went away is seen as EPIPE by whoever writes.
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files (setrlimit(2)) is seen as EFBIG, and fails one file.
        signal(SIGXFSZ, SIG_IGN)
        closeStreams()
        let signals = Signals()
        let context = Context.process(signals: signals)
        let words = Array(CommandLine.arguments.dropFirst())
        if let fault = encodingFault() {
            context.console.message(["runner: error: " + fault])
            _exit(ExitStatus.usage.rawValue)
        }
        Task.detached {
            _exit(await run(words, in: context).rawValue)
        }
        signals.deliver { _exit($0.exitStatus.rawValue) }
    }

    /// What of the command line or of the current folder's path is not UTF-8; nil for nothing.
    ///
    /// Such bytes are replaced on the way to a text, which would then name another file.
    private static func encodingFault() -> String? {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            return "argument \(index), \(String(cString: word).printable), is not UTF-8; rename what it names"
        }
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        if String(validatingCString: path) != nil { return nil }
        return "the path of the current folder, \(String(cString: path).printable), is not UTF-8; rename it, or"
            + " start from another one"
    }

    /// Makes sure that a standard stream which the caller closed fails with EBADF.
    ///
    /// Else one of our own descriptors would get its number, and what is meant for people would be written there.
    private static func closeStreams() {
        for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one, and the wrong way round it is good for nothing.
            _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}

extension Context {
    /// The process itself.
    static func process(signals: Signals) -> Context {
        let input = StandardInput()
        return Context(
            environment: processEnvironment(), workingDirectory: currentFolder(), console: .standard(),
            readInput: { () throws(FileFault) in try input.content() },
            signals: { signals.stream() }, end: { _exit($0.rawValue) })
    }

    /// The environment; a name that is set twice has its first value, as with getenv(3).
    private static func processEnvironment() -> [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let words = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2, result[String(words[0])] == nil { result[String(words[0])] = String(words[1]) }
            entry = entry.advanced(by: 1)
        }
        return result
    }

    /// The current folder; `.` where it was removed or cannot be named.
    private static func currentFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
