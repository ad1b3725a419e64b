internal import Glibc
internal import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// The lock file of a job that was named.
struct JobLock {
    /// The path as messages show it, and the real one.
    let name: String
    let path: String

    /// - Parameter job: the path of the job file as the user wrote it.
    init(job: String, in context: Context) {
        name = LockFile.path(forJob: job)
        path = context.absolute(name)
    }

    enum Reading {
        case read(LockFile)
        case missing
        /// It has faults, which have been told.
        case faulty
    }

    /// Reads the lock file and tells its faults.
    func read(_ planning: Planning) -> Reading {
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try FileContent.read(path, named: name)
        } catch {
            if error.code == ENOENT { return .missing }
            planning.context.console.message(["runner: error: " + error.message])
            return .faulty
        }
        do throws(JobFaults) {
            return .read(try LockParser.parse(bytes, name: name))
        } catch {
            planning.tell(error.diagnostics, sources: error.sources)
            return .faulty
        }
    }

    /// The job held to its lock file; nil where that cannot be, which has been told.
    ///
    /// - Returns: the job, or the status that the program ends with.
    func hold(_ job: Job, _ planning: Planning) -> Result<Job, Refusal> {
        switch read(planning) {
        case .faulty:
            planning.context.console.message([
                "runner: mend \(name.printable), or remove it and write it anew with: runner lock "
                    + job.file.printable
            ])
            return .failure(Refusal(status: .usage))
        case .missing:
            planning.context.console.message([
                "runner: error: \(name.printable) is missing; write it with: runner lock \(job.file.printable)"
            ])
            return .failure(Refusal(status: .usage))
        case .read(let lock):
            let locked = LockedJob(job, lock: lock, redactor: Redactor(secrets: job.secrets))
            if locked.drifts.isEmpty { return .success(locked.job) }
            planning.context.console.message(DriftText.lines(locked.drifts, lock: name, job: job.file))
            return .failure(Refusal(status: .differs))
        }
    }

    /// Why a job is not run.
    struct Refusal: Error {
        var status: ExitStatus
    }
}
