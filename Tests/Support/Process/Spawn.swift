internal import CLibSSL
import Glibc

/// The start of a program with posix_spawn(3).
struct Spawn {
    let path: String
    let arguments: [String]
    let environment: [String: String]
    let folder: String?

    /// Starts it with these standard streams, default signal actions and an empty signal mask.
    func start(input: Int32, output: Int32, error: Int32) throws(SystemFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The copies made by dup2 do not close on exec, the originals do.
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, error, 2)
        if let folder { runner_spawn_in(&actions, folder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignals(&attributes)
        var pid = pid_t()
        let code = Spawn.withCStrings([path] + arguments) { arguments in
            Spawn.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&pid, path, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemFailure("posix_spawn \(path)", code: code) }
        return pid
    }

    private func setSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// Calls `body` with a list of C strings that ends in a null pointer.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let strings = texts.map { strdup($0) }
        defer { for string in strings { free(string) } }
        return body(strings + [nil])
    }
}
