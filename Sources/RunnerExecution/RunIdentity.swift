import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

#if canImport(Glibc)
    import Glibc
#endif

/// Who runs what, where: the first event of a run.
public enum RunIdentity {
    static func started(_ plan: Plan, _ options: RunOptions, concurrency: Int) -> RunStarted {
        var limits = Limits(concurrency: concurrency, perHost: plan.job.limits.perHost)
        if plan.tasks.contains(where: { $0.task.action.origin == nil }) { limits.cpu = LocalCap.of(plan.job.limits) }
        return started(
            run: options.run, job: plan.job.name, file: plan.job.file, fileSHA256: fileSHA256(plan.job),
            version: options.version, tasks: plan.tasks.count, limits: limits)
    }

    static func started(
        run: String, job: String, file: String, fileSHA256: String, version: String, tasks: Int, limits: Limits
    ) -> RunStarted {
        RunStarted(
            run: run, job: job, file: file, fileSHA256: fileSHA256, version: version, host: hostName(), pid: getpid(),
            tasks: tasks, limits: limits)
    }

    /// The SHA-256 of the job file in hexadecimal digits.
    static func fileSHA256(_ job: Job) -> String {
        (try? DigestSet.digest(of: job.sources.files.first?.bytes ?? [], by: .sha256).hex) ?? ""
    }

    /// The run's row in the ledger as it begins.
    static func row(_ plan: Plan, _ options: RunOptions) -> RunRow {
        let redactor = Redactor(secrets: plan.job.secrets)
        return RunRow(
            run: options.run, job: options.identity, name: redactor.text(plan.job.name),
            file: redactor.text(plan.job.file), started: WallClock.milliseconds,
            report: RunArchive.reportName(of: options.run))
    }

    /// A name for a new run: time in UTC and eight random digits, so that names sort by time and never meet.
    public static func newRun() -> String {
        let digits = (0..<8).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
        return "\(CivilTime(utc: WallClock.seconds).compact)-\(digits)"
    }

    static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
