import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerStorage
import Synchronization
import TestSupport

/// Carries out a job in the test's own process, in a folder of its own.
final class JobBench: Sendable {
    /// What came of a run.
    struct Outcome: Sendable {
        var finished: RunFinished
        var events: [RunEvent]

        /// `task.finished` of one task.
        func task(_ id: String) -> TaskFinished? {
            for case .taskFinished(let task) in events.map(\.kind) where task.task == ExactText(id) { return task }
            return nil
        }

        /// `run.warning` in order.
        var warnings: [String] {
            events.compactMap { if case .warning(let warning) = $0.kind { warning.message } else { nil } }
        }

        /// Classes of the failed attempts of all tasks, in order.
        var failedAttempts: [FaultClass] {
            events.compactMap {
                if case .attemptFailed(let attempt) = $0.kind { return attempt.failure.faultClass }
                return nil
            }
        }
    }

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Short waits, so that a test that retries does not take seconds.
    static let quick = """
        defaults:
          retry: {attempts: 4, first: 1ms, max: 5ms}
          timeout: {connect: 5s, stall: 5s}

        """

    /// Plans and runs a job whose `tasks:` are given as YAML.
    ///
    /// - Parameter observe: sees every event as it happens, and may stop the run.
    func run(
        _ tasks: String, defaults: String = quick, top: String = "", environment: [String: String] = [:],
        change: (inout Plan) -> Void = { _ in }, configure: (inout RunOptions) -> Void = { _ in },
        started: (Run) -> Void = { _ in },
        observe: @escaping @Sendable (RunEvent, Run) -> Void = { _, _ in }
    ) async throws -> Outcome {
        var plan = try plan(tasks, defaults: defaults, top: top, environment: environment)
        change(&plan)
        var options = RunOptions(identity: folder.path + "/job.yaml", version: "test")
        options.initialHolds = JobSite(plan.job, identity: options.identity).view().holds
        configure(&options)
        let run = try Run(plan: plan, options: options)
        let log = Mutex<[RunEvent]>([])
        started(run)
        let finished = await run.execute { event in
            log.withLock { $0.append(event) }
            observe(event, run)
        }
        return Outcome(finished: finished, events: log.withLock { $0 })
    }

    func plan(
        _ tasks: String, defaults: String = quick, top: String = "", environment: [String: String] = [:]
    ) throws -> Plan {
        let text = "version: 1\n\(top)\n\(defaults)tasks:\n\(tasks)\n"
        let job = try JobParser.parse(
            JobInput(
                file: "job.yaml", bytes: Array(text.utf8), folder: folder.path, environment: environment,
                clock: .utc(now: 1_700_000_000)))
        return try Planner.plan(job, disk: JobSite(job, identity: folder.path + "/job.yaml").view())
    }

    func bytes(_ path: String) -> [UInt8]? { folder.read(path) }

    /// What the job has put into its directory, part files included.
    var files: [String] { folder.files().filter { !$0.hasPrefix(".runner/") } }
}
