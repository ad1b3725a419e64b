import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

#if canImport(Glibc)
    import Glibc
#endif

extension RunExecutor {
    /// Who does what a task of a local kind asks for; nil where the kind is none.
    private func performer(for task: JobTask) -> (any Performer)? {
        switch task.action {
        case .download, .upload: nil
        case .check(let check): CheckPerformer(check: check, directory: directory, lists: lists, words: words)
        case .run(let run):
            RunPerformer(run: run, directory: directory, environment: options.environment, words: words)
        case .extract(let extraction):
            ExtractPerformer(extraction: extraction, site: site, identity: options.identity, words: words)
        case .archive(let creation):
            ArchivePerformer(creation: creation, site: site, identity: options.identity, words: words)
        }
    }

    /// Starts a local task that has been given a slot, or does it once more after a failure.
    func work(_ index: Int, attempt: Int) {
        let planned = plan.tasks[index]
        guard let performer = performer(for: planned.task), let localWorkers else {
            fail(index, words.failure(Fault(.internal, .impossible("no worker for a local task")), url: ""))
            return
        }
        let control = WorkControl()
        activities[index] = .working(control, attempt: attempt)
        if attempt == 1 { setLimits(index, planned.task) }
        if let limit = planned.task.timeout.attempt {
            let purpose = TimerPurpose.giveUpAttempt(
                task: index, attempt: attempt, Fault(.timeout, .attemptTimeout(limit)))
            limits[index, default: []].append(timers.add(purpose, due: SteadyClock.now + limit))
        }
        let work = LocalWork(
            task: planned.task, record: planned.product, contents: knownContents(for: planned), directory: directory,
            performer: performer)
        let deliver = deliver
        Lane(on: localWorkers).submit {
            deliver?(WorkerNews(task: index, kind: .worked(work.run(control))))
        }
    }

    /// What a performer has come to.
    func take(_ result: WorkResult, of index: Int) {
        guard case .working(let control, let attempt) = activities[index] else { return }
        let task = plan.tasks[index].task
        var finished = TaskFinished(task, .succeeded)
        finished.attempts = attempt
        finished.bytes = result.bytes
        finished.digest = result.digest
        finished.output = result.output.map(words.redactor.text)
        finished.timing.total = began[index].map { SteadyClock.now - $0 }
        switch (result.ending, control.stop) {
        case (.succeeded, _):
            if let product = result.product { bookkeeper?.add(product) }
            end(index, finished, .succeeded)
        case (.upToDate, _):
            if let product = result.product { bookkeeper?.add(product) }
            finished.outcome = .upToDate
            finished.attempts = 0
            end(index, finished, .succeeded)
        case (.stopped, .expired(let fault)):
            let source = task.action.work.sourceText
            let failure = words.failure(fault, url: source.isEmpty ? task.id.text : source)
            retryOrEnd(index, failure, attempt, &finished)
        case (.stopped, _):
            finished.outcome = cancelledOutcome
            end(index, finished, cancelledResult)
        case (.failed(let failure), _):
            retryOrEnd(index, failure, attempt, &finished)
        }
    }

    /// Does a task once more where the job names the class of its failure; local work fails for good otherwise.
    private func retryOrEnd(_ index: Int, _ failure: TaskFailure, _ attempt: Int, _ finished: inout TaskFinished) {
        let task = plan.tasks[index].task
        let isNamed = task.retry.on?.contains(failure.faultClass) ?? false
        let wait = RetryPolicy(task.retry).delay(round: attempt, dice: .random(in: 0..<1))
        let isInTime = began[index].map { began in
            task.retry.deadline.map { SteadyClock.now + wait < began + $0 } ?? true
        }
        guard isNamed, attempt < task.retry.attempts, !isStopping, isInTime ?? true, !isOver(task, index) else {
            finished.outcome = .failed
            finished.failure = failure
            park(failure, of: task)
            end(index, finished, .failed)
            return
        }
        tell(
            .attemptFailed(
                AttemptFailed(
                    task: task.id, attempt: attempt, url: words.redactor.url(task.action.work.sourceText),
                    resumedFrom: 0,
                    failure: failure, retryIn: wait, nextURL: nil)))
        activities[index] = .resting(attempt: attempt)
        scheduler.yielded(index)
        timers.add(.wake(task: index), due: SteadyClock.now + wait)
    }

    /// Whether a task has used up all of its time.
    private func isOver(_ task: JobTask, _ index: Int) -> Bool {
        guard let total = task.timeout.total, let began = began[index] else { return false }
        return SteadyClock.now >= began + total
    }

    /// Ends a task that waits for its next attempt while the run is being stopped.
    func endResting(_ index: Int, _ attempt: Int) {
        var finished = TaskFinished(plan.tasks[index].task, cancelledOutcome)
        finished.attempts = attempt
        end(index, finished, cancelledResult)
    }

    /// Time that a local task has to look whether it is to stop.
    static let patience = Duration.milliseconds(300)

    /// Goes on without a local task that was asked to stop and is held up in a call that cannot be broken off.
    ///
    /// Its thread ends by itself, or with the process; what it has written is taken away before.
    func abandonWork(_ index: Int) {
        guard case .working(let control, _) = activities[index], let undo = control.abandonment else { return }
        localWorkers?.abandon()
        let deliver = deliver
        Lane(on: workers).submit {
            if undo() { deliver?(WorkerNews(task: index, kind: .worked(WorkResult(.stopped)))) }
        }
    }

    /// Ends a local task that has run, or rested, for too long.
    func giveUpWork(_ index: Int, _ fault: Fault) {
        switch activities[index] {
        case .working(let control, _): control.stop(.expired(fault))
        case .resting(let attempt):
            let task = plan.tasks[index].task
            var finished = TaskFinished(task, .failed)
            finished.attempts = attempt
            finished.failure = words.failure(fault, url: task.action.work.sourceText)
            end(index, finished, .failed)
        case .preparing, .transferring, nil: break
        }
    }
}

/// How many local tasks may be done at a time.
enum LocalCap {
    /// The lane of local tasks; origins have the numbers from 0 on.
    static let lane = -1

    /// The job's `limits.cpu`, else the number of processors that the system gives.
    static func of(_ limits: Limits) -> Int {
        limits.cpu ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Threads for the local tasks of a plan; nil when it has none.
    static func workers(for plan: Plan) -> Workers? {
        let count = plan.tasks.count { planned in
            planned.task.action.origin == nil && planned.verdict != .upToDate
        }
        return count == 0 ? nil : Workers(count: min(count, of(plan.job.limits)))
    }
}
