import Glibc

/// The built program `runner`, run as its users run it.
package enum RunnerBinary {
    /// What one run left behind.
    package struct Outcome: Sendable {
        /// The exit status, or minus the number of the signal that ended the program.
        package let status: Int32
        /// Standard output as text.
        package let output: String
        /// Standard error as text.
        package let errorOutput: String
        /// From the start to the end of the program.
        package let duration: Duration
    }

    /// The program next to the test bundle, or the one that `RUNNER_BINARY` names.
    package static var path: String {
        get throws(SystemFailure) {
            if let chosen = getenv("RUNNER_BINARY") { return String(cString: chosen) }
            // `swift test` runs the bundle from the folder that holds all products.
            guard let bundle = realpath(CommandLine.arguments[0], nil) else { throw SystemFailure("realpath") }
            defer { free(bundle) }
            for place in [String(cString: bundle), try testBundle()] {
                let folder = place.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                let program = folder.joined(separator: "/") + "/runner"
                if access(program, X_OK) == 0 { return program }
            }
            throw SystemFailure("runner was not built next to the tests: run `swift build` first", code: 0)
        }
    }

    /// Starts it and leaves it running.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - environment: Added to a small environment of `PATH`, `HOME` and `LC_ALL`; the caller's is not passed on.
    ///   - folder: Its working directory.
    ///   - input: Its standard input.
    ///   - starter: A program that starts it in its turn, such as nohup(1), with its arguments.
    package static func start(
        _ arguments: [String], environment: [String: String] = [:], in folder: String, input: String = "",
        through starter: [String] = []
    ) throws(SystemFailure) -> ChildProcess {
        var whole = ["PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"]
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH", "LD_PRELOAD"] {
            if let value = getenv(name) { whole[name] = String(cString: value) }
        }
        whole.merge(environment) { $1 }
        let words = starter + [try path] + arguments
        return try ChildProcess(
            words[0], Array(words.dropFirst()), environment: whole, in: folder, input: Array(input.utf8))
    }

    /// Runs it to its end; after `time` it is killed.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: String, input: String = "",
        for time: Duration = .seconds(120)
    ) async throws(SystemFailure) -> Outcome {
        let start = ContinuousClock.now
        let process = try Self.start(arguments, environment: environment, in: folder, input: input)
        let end = await process.wait(for: time)
        let status =
            switch end {
            case .exited(let status): status
            case .signalled(let signal): -signal
            }
        return Outcome(
            status: status, output: String(decoding: process.output, as: UTF8.self),
            errorOutput: String(decoding: process.errorOutput, as: UTF8.self),
            duration: (process.endTime ?? .now) - start)
    }

    /// The test bundle's file: the argument that ends as SwiftPM names it, since swift-testing's helper is argument 0.
    private static func testBundle() throws(SystemFailure) -> String {
        guard let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) else {
            throw SystemFailure("no test bundle among the arguments", code: 0)
        }
        return bundle
    }
}
