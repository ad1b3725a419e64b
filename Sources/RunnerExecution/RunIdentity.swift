import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

#if canImport(Glibc)
    import Glibc
#endif

/// Who runs what, where: the first event of a run.
enum RunIdentity {
    static func started(_ plan: Plan, _ options: RunOptions) -> RunStarted {
        let bytes = plan.job.sources.files.first?.bytes ?? []
        let digest = try? DigestSet.digest(of: bytes, by: .sha256)
        return RunStarted(
            run: newRunID(), job: plan.job.name, file: plan.job.file, fileSHA256: digest?.hex ?? "",
            version: options.version, host: hostName(), pid: getpid(), tasks: plan.tasks.count,
            limits: plan.job.limits)
    }

    /// Time in UTC and eight random digits, so that names sort by time and never meet.
    private static func newRunID() -> String {
        var seconds = time_t(WallClock.seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        let time = "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))"
        let digits = (0..<8).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
        return "\(date)T\(time)Z-\(digits)"
    }

    private static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
