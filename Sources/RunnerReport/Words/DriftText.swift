public import RunnerExecution
internal import RunnerJob
public import RunnerPlan

/// Differences from a lock file, in the way of diff(1): `-` is what was locked, `+` what there is now.
public enum DriftText {
    /// Differences between a job and its lock file; nothing was started.
    public static func lines(_ drifts: [LockedJob.Drift], lock: String, job: String) -> [String] {
        var lines = ["runner: error: \(job.printable) does not agree with \(lock.printable); nothing was started"]
        for drift in drifts {
            let place = drift.place.map { " (line \($0.line))" } ?? ""
            let path = "  " + drift.path.text.printable + place
            switch drift.kind {
            case .notLocked: lines.append(path + ": not in the lock file")
            case .notInJob: lines.append(path + ": in the lock file, but not in the job")
            case .digest(let own, let locked):
                lines += [path, change("-", locked.algorithm.rawValue, locked.hex)]
                lines.append(change("+", own.algorithm.rawValue, own.hex))
            case .size(let own, let locked):
                lines += [path, change("-", "size", String(locked)), change("+", "size", String(own))]
            }
        }
        return lines + ["runner: if the job is right, write the lock file anew: runner lock \(job.printable)"]
    }

    /// Differences between what came and the lock file.
    public static func lines(_ tasks: [TaskFinished], lock: String) -> [String] {
        let drifted = tasks.filter { $0.failure?.differences.isEmpty == false }
        guard !drifted.isEmpty else { return [] }
        var lines = ["runner: error: what came does not agree with \(lock.printable)"]
        for task in drifted {
            lines.append("  " + task.to.printable)
            for difference in task.failure?.differences ?? [] {
                lines.append(change("-", difference.name, difference.wanted))
                lines.append(change("+", difference.name, difference.found))
            }
        }
        return lines
    }

    private static func change(_ sign: String, _ name: String, _ value: String) -> String {
        "    \(sign) \(name): \(value)"
    }
}
