internal import Glibc
public import RunnerJob
internal import RunnerTransfer

/// Runs the hooks of a job after its run, one after the other; whatever they do, the run has been what it was.
public struct HookRunner: Sendable {
    /// What became of a hook.
    public struct Outcome: Hashable, Sendable {
        public var occasion: HookSet.Occasion
        /// What it wrote, masked.
        public var output: String
        /// One sentence when it did not end well.
        public var fault: String?
    }

    private let job: Job
    private let environment: [String: String]
    private let words: FaultText
    /// Time to end between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(2)
    /// Longest text of a variable; execve(2) refuses longer ones than 128 KiB.
    private static let longestVariable = 100_000

    /// - Parameter environment: of the program; hooks get what a clean one has of it.
    public init(_ job: Job, environment: [String: String]) {
        self.job = job
        self.environment = environment
        words = FaultText(redactor: Redactor(secrets: job.secrets))
    }

    /// Runs what the job names for a status.
    ///
    /// - Parameters:
    ///   - isSuccess: whether the run's status is 0.
    ///   - summary: what is on the hook's standard input, and in `RUNNER_SUMMARY`: one line of JSON.
    ///   - variables: further variables of its environment.
    ///   - isStopped: asked several times a second; a hook is ended when it says yes.
    public func run(
        afterSuccess isSuccess: Bool, summary: String, variables: [String: String],
        isStopped: @escaping @Sendable () -> Bool
    ) async -> [Outcome] {
        let commands = job.hooks.commands(afterSuccess: isSuccess)
        guard !commands.isEmpty else { return [] }
        var order = ProgramOrder(
            commands[0].command, environment: ProgramOrder.cleanEnvironment(of: environment), folder: job.folder)
        order.environment.merge(variables) { $1 }
        if summary.utf8.count <= Self.longestVariable { order.environment["RUNNER_SUMMARY"] = summary }
        order.input = Array(summary.utf8) + [0x0A]
        order.timeout = job.hooks.timeout
        order.grace = Self.grace
        let workers = Workers(count: 1)
        defer { workers.stop() }
        var outcomes: [Outcome] = []
        for (occasion, command) in commands where !isStopped() {
            order.arguments = command
            let ready = order
            outcomes.append(
                await withCheckedContinuation { continuation in
                    Lane(on: workers).submit {
                        continuation.resume(returning: run(ready, occasion, isStopped))
                    }
                })
        }
        return outcomes
    }

    private func run(
        _ order: ProgramOrder, _ occasion: HookSet.Occasion, _ isStopped: () -> Bool
    ) -> Outcome {
        do throws(ProgramFault) {
            let result = try RunningProgram.run(order) { isStopped() ? Self.grace : nil }
            return Outcome(
                occasion: occasion, output: words.redactor.text(result.output.text),
                fault: fault(result.end, order.arguments.first ?? ""))
        } catch {
            return Outcome(occasion: occasion, output: "", fault: words.failure(error).message)
        }
    }

    private func fault(_ end: ProgramResult.End, _ name: String) -> String? {
        switch end {
        case .exited(0): nil
        case .timedOut: words.sentence(end, of: name) + " and was ended (hooks.timeout)"
        case .exited, .signalled, .stopped: words.sentence(end, of: name)
        }
    }
}
