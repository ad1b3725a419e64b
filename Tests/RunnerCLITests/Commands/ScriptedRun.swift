import RunnerCLI
import RunnerExecution
import RunnerJob
import RunnerPlan
import Synchronization

/// A run that does nothing but tell events: every task ends as a script says.
final class ScriptedRun: RunControl {
    /// What the runs of a test were asked to do.
    final class Record: Sendable {
        private let entries = Mutex<[String]>([])
        private let given = Mutex<[RunOptions]>([])
        private let planned = Mutex<[Plan]>([])
        private let program = Mutex(Program.running(last: nil))

        /// The program that the runs belong to.
        private enum Program {
            /// With what ends its last run.
            case running(last: AsyncStream<ExitStatus>.Continuation?)
            case ended(ExitStatus)
        }

        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
        func add(_ options: RunOptions) { given.withLock { $0.append(options) } }
        func add(_ plan: Plan, ending stops: AsyncStream<ExitStatus>.Continuation) {
            planned.withLock { $0.append(plan) }
            program.withLock { program in
                switch program {
                case .running: program = .running(last: stops)
                case .ended(let status): stops.yield(status)
                }
            }
        }
        /// What stands for the end of the program, which may come before its run has begun.
        func end(_ status: ExitStatus) {
            add("end \(status.rawValue)")
            program.withLock { program in
                if case .running(let last) = program { last?.yield(status) }
                program = .ended(status)
            }
        }
        var list: [String] { entries.withLock { $0 } }
        var plans: [Plan] { planned.withLock { $0 } }
        var options: [RunOptions] { given.withLock { $0 } }
    }

    /// How the tasks end.
    enum Script: Sendable {
        /// By their ids: those that contain `bad` fail, the others succeed.
        case byName
        /// Nothing ends before the run is stopped.
        case untilStopped
        /// The run takes no notice of being stopped, and ends when the program does.
        case untilEnd
    }

    let plan: Plan
    private let script: Script
    private let record: Record
    private let stops = AsyncStream.makeStream(of: ExitStatus.self)

    init(_ plan: Plan, _ script: Script, _ record: Record) {
        self.plan = plan
        self.script = script
        self.record = record
        record.add(plan, ending: stops.continuation)
    }

    func execute(_ sink: @escaping @Sendable (RunEvent) -> Void) async -> RunFinished {
        record.add("run \(plan.job.name)")
        sink(Events.begun(tasks: plan.tasks.count))
        var stop: RunStop?
        if script != .byName {
            record.add("waiting")
            for await status in stops.stream {
                stop = .signal(status)
                break
            }
        }
        var tally = RunTally()
        for task in plan.tasks {
            let isBad = task.task.id.text.contains("bad")
            let failure = isBad ? TaskFailure(.notFound, code: "http_404", message: "no such file") : nil
            let outcome: TaskFinished.Outcome = stop != nil ? .cancelled : isBad ? .failed : .succeeded
            let event = Events.ended(task.task.id.text, outcome, bytes: 1, failure: failure)
            if case .taskFinished(let finished) = event.kind { tally.add(finished) }
            sink(event)
        }
        let finished = tally.runFinished(stop: stop, duration: .seconds(1))
        sink(RunEvent(time: 1, kind: .runFinished(finished)))
        return finished
    }

    func stop(_ status: ExitStatus) {
        record.add("stop \(status.rawValue)")
        if script == .untilStopped { stops.continuation.yield(status) }
    }
}
