internal import Glibc

/// Runs a program for what it writes to standard output, such as a keeper of passwords.
enum CommandOutput {
    /// Seconds after which a program is ended that has not said anything to the end.
    static let patience = 60

    /// Bytes that are taken.
    private static let ceiling = 1 << 20

    /// Why there is no output.
    enum Fault: Error {
        /// The value of errno(3) with which the program could not be started.
        case notStarted(Int32)
        case failed(status: Int32)
        case signalled(Int32)
        case tooSlow, tooLong

        var reason: String {
            switch self {
            case .notStarted(let code): "the command cannot be run: \(String(cString: strerror(code)))"
            case .failed(let status): "the command ended with status \(status)"
            case .signalled(let signal): "the command was ended by signal \(signal)"
            case .tooSlow: "the command did not end within \(CommandOutput.patience) s"
            case .tooLong: "the command wrote more than \(CommandOutput.ceiling >> 20) MiB"
            }
        }
    }

    /// What the program writes; its messages go where ours go.
    static func of(_ words: [String], environment: [String: String]) throws(Fault) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .notStarted(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let child: pid_t
        do throws(Fault) {
            child = try start(words, environment, writingTo: ends[1])
        } catch {
            close(ends[1])
            throw error
        }
        close(ends[1])
        do throws(Fault) {
            let output = try read(ends[0])
            try wait(for: child)
            return output
        } catch {
            kill(child, SIGKILL)
            var status: Int32 = 0
            waitpid(child, &status, 0)
            throw error
        }
    }

    private static func start(
        _ words: [String], _ environment: [String: String], writingTo descriptor: Int32
    ) throws(Fault) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, words.first ?? "", &actions, nil, &arguments, &variables)
        guard code == 0 else { throw .notStarted(code) }
        return child
    }

    /// Everything up to the end of a pipe.
    private static func read(_ descriptor: Int32) throws(Fault) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        let end = time(nil) + patience
        while content.count <= ceiling {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = end - time(nil)
            guard left > 0 else { throw .tooSlow }
            guard poll(&wanted, 1, Int32(left) * 1000) > 0 else { continue }
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            if count > 0 { content += chunk[..<count] }
        }
        throw .tooLong
    }

    private static func wait(for child: pid_t) throws(Fault) {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // The macros of wait(2) are not there in Swift.
        let signal = status & 0x7F
        if signal != 0 { throw .signalled(signal) }
        let code = status >> 8 & 0xFF
        if code != 0 { throw .failed(status: code) }
    }
}
