import RunnerCLI
import RunnerExecution
import Synchronization
import TestSupport

/// Collects what is written, as a stream of a program that may be a terminal.
final class MemoryOutput: Output {
    private let bytes = Mutex<[UInt8]>([])
    let isTerminal: Bool
    let size: TerminalSize?
    let failure: Int32? = nil
    /// Is called with every write, after it.
    private let onWrite: @Sendable () -> Void

    init(terminal size: TerminalSize? = nil, onWrite: @escaping @Sendable () -> Void = {}) {
        self.size = size
        isTerminal = size != nil
        self.onWrite = onWrite
    }

    func write(_ bytes: some Collection<UInt8>) {
        self.bytes.withLock { $0 += bytes }
        onWrite()
    }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}

/// A folder, streams and an environment of a test's own, in which commands run.
struct TestContext {
    let folder: TemporaryDirectory
    let output = MemoryOutput()
    let errors: MemoryOutput
    let record = ScriptedRun.Record()
    var context: Context

    init(
        terminal size: TerminalSize? = nil, environment: [String: String] = [:], input: String = "",
        script: ScriptedRun.Script = .byName, signals: AsyncStream<TerminationSignal> = AsyncStream { $0.finish() }
    ) throws {
        let record = record
        folder = try TemporaryDirectory()
        errors = MemoryOutput(terminal: size)
        context = Context(
            environment: environment, workingDirectory: folder.path, console: Console(output: output, errors: errors),
            readInput: { () throws(FileFault) in Array(input.utf8) },
            signals: { signals },
            end: { record.end($0) },
            makeRun: { (plan, options, _) throws(Run.StartFailure) in
                record.add(options)
                return ScriptedRun(plan, script, record)
            })
    }

    /// Runs a command line as the program would.
    func run(_ words: String...) async -> Int32 {
        await run(words)
    }

    func run(_ words: [String]) async -> Int32 {
        await Program.run(words, in: context).rawValue
    }
}
