import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// Carries a plan out: asks the scheduler who is next, runs preparations and transfers, and tells what happens.
///
/// Belongs to the network thread. Transfers may call it from inside libcurl's callbacks; what they ask for is done in
/// the next ``tick()``.
final class RunExecutor {
    /// What a task that was started is doing.
    enum Activity {
        case preparing(CancelFlag)
        case transferring(Transfer)
        case working(WorkControl, attempt: Int)
        /// Waits before it is done once more.
        case resting(attempt: Int)
    }

    /// What a timer is for.
    enum TimerPurpose {
        case wake(task: Int)
        /// `rested` is the time that the run had been at rest when the timer was set.
        case giveUp(task: Int, Fault, rested: Duration)
        case giveUpAttempt(task: Int, attempt: Int, Fault)
        /// A local task that was asked to stop has not done so.
        case abandon(task: Int)
        case letGo(lane: Int)
        case heartbeat
        /// The clock on the wall is to be looked at.
        case hours
        /// The run has been at rest for long.
        case suspend
        /// `limits.budget.time` is over.
        case budget(Duration)
    }

    let plan: Plan
    let options: RunOptions
    let site: JobSite
    let directory: JobDirectory
    let lists: ChecksumLists
    let concurrency: Int
    var bookkeeper: Bookkeeper?
    let words: FaultText
    let environment: NetworkEnvironment
    let engine: TransferEngine
    private let usesSegments: Bool
    let workers: Workers
    /// Threads for local tasks, which may be busy for long; nil where the plan has none.
    let localWorkers: Workers?
    /// Time that one thread of the workers has to come to all that waits, before another one is woken.
    private static let workerPatience = Duration.milliseconds(1)
    let pool = BufferPool()
    var scheduler: Scheduler
    var lanes: [Origin: Int] = [:]
    /// By lane.
    var origins: [OriginRecord] = []
    var timers = TimerQueue<TimerPurpose>()
    var activities: [Int: Activity] = [:]
    /// When each task that was started began.
    var began: [Int: Duration] = [:]
    /// When each task ended; empty where no task needs another.
    private var ended: [Int: Duration] = [:]
    private lazy var hasNeeds = plan.tasks.contains { !$0.needs.isEmpty }
    var limits: [Int: [TimerQueue<TimerPurpose>.ID]] = [:]
    /// Lanes of the slots that were lent to each task's segments.
    var lent: [Int: [SegmentID: Int?]] = [:]
    /// Lanes that are left alone for long, which nobody was told of so far.
    var untoldHolds: Set<Int> = []
    /// Segments whose redirects wait for leave.
    var ledSegments: [(transfer: Transfer, segment: SegmentID, origin: Origin)] = []
    /// Paths that tasks read whose freshness depends on it, and what is known of the bytes that this run has put there.
    lazy var readPaths = Set(plan.tasks.flatMap { Freshness.compared($0.task.action.work).map(\.path) })
    var freshContents: KnownContents = [:]
    /// The files of uploads under way, as they were before the first request.
    var sent: [Int: UploadPreparation.Source] = [:]
    let states: PartStates
    /// Who writes what, where servers give names.
    let claims: NameClaims
    var hours = Hours.open
    /// Time that the run was at rest, outside its hours.
    var timeClosed = Duration.zero
    var tally: RunTally
    private var phase = Phase.idle
    private var stopReason: RunStop?
    var parking = Parking()
    var backups: BackupPlan
    /// How the files lie of tasks that are done for good; nil where a further run may have something to do.
    var settlement: Settlement?
    /// What the run came to; there once every task has ended.
    private var settled: RunFinished?
    /// What the ledger refused last: the same is told once.
    private var lastRefusal: Bookkeeper.Refusal?
    private let runBegan = SteadyClock.now
    private var lastProgress = Duration.zero
    /// When all transfers were looked after last.
    private var housekept = Duration.zero
    private static let housekeepingInterval = Duration.milliseconds(10)
    var deliver: (@Sendable (WorkerNews) -> Void)?

    private enum Phase {
        case idle
        case running(sink: @Sendable (RunEvent) -> Void, whenOver: (RunFinished) -> Void)
        case over
    }

    init(
        plan: Plan, options: RunOptions, site: JobSite, loop: EventLoop, workers: Workers, localWorkers: Workers?
    ) throws(EngineFailure) {
        self.plan = plan
        self.options = options
        tally = RunTally(isLocked: options.isLocked)
        self.workers = workers
        self.localWorkers = localWorkers
        self.site = site
        directory = site.directory
        lists = ChecksumLists(site.directory)
        settlement = Settlement(plan, options)
        backups = BackupPlan(plan.tasks, stateFolder: site.stateFolder, root: site.directory.root)
        claims = NameClaims(of: plan)
        usesSegments = plan.tasks.contains { planned in
            if case .download(let download) = planned.task.action { return download.segments != .single }
            return false
        }
        let redactor = Redactor(secrets: plan.job.secrets)
        words = FaultText(redactor: redactor)
        states = PartStates(folder: site.folder, job: options.identity, redactor: redactor)
        concurrency = DescriptorLimit.concurrency(options.concurrency ?? plan.job.limits.concurrency)
        environment = NetworkEnvironment(options.environment)
        engine = try TransferEngine(
            on: loop, environment: environment, connections: concurrency)
        var lanes: [Origin: Int] = [:]
        let lanesOfTasks = plan.tasks.map { planned -> Int? in
            // What is up to date asks nobody.
            guard planned.verdict != .upToDate else { return nil }
            guard let origin = planned.task.action.origin else { return LocalCap.lane }
            guard origin.scheme != "file" else { return nil }
            if let lane = lanes[origin] { return lane }
            lanes[origin] = lanes.count
            return lanes.count - 1
        }
        self.lanes = lanes
        scheduler = Scheduler(
            plan, concurrency: concurrency, lanes: lanesOfTasks, perLane: plan.job.limits.perHost,
            failureLimit: options.failFast
                ? 1 : plan.job.limits.failures.ceiling(required: plan.tasks.count { !$0.task.isOptional }))
    }

    // MARK: - The run

    func start(
        sink: @escaping @Sendable (RunEvent) -> Void, deliver: @escaping @Sendable (WorkerNews) -> Void,
        whenOver: @escaping (RunFinished) -> Void
    ) {
        self.deliver = deliver
        phase = .running(sink: sink, whenOver: whenOver)
        bookkeeper = Bookkeeper(site: site, workers: workers) { deliver(WorkerNews(task: -1, kind: .booked($0))) }
        timers.add(.heartbeat, due: SteadyClock.now + Lease.heartbeatInterval)
        bookkeeper?.begin(RunIdentity.row(plan, options))
        tell(.runStarted(RunIdentity.started(plan, options, concurrency: concurrency)))
        for (origin, _) in lanes.sorted(by: { $0.value < $1.value }) { addOrigin(origin) }
        if let rate = plan.job.limits.rate { engine.rates.limit(.everything, to: rate) }
        if let time = plan.job.limits.budget.time { timers.add(.budget(time), due: runBegan + time) }
        scheduler.setCap(LocalCap.of(plan.job.limits), of: LocalCap.lane)
        scheduler.exempt(LocalCap.lane)
        lookAtHours()
        // The wish to stop may have come before the start.
        if stopReason != nil { endEverything() }
    }

    func stop(_ reason: RunStop) {
        switch (phase, stopReason) {
        case (.over, _), (_, .signal): return
        case (.idle, _): stopReason = reason
        case (.running, .some) where reason.isBudget: return
        case (.running, _):
            // A signal counts for more than a full disk, and is not kept waiting by it.
            stopReason = reason
            endEverything()
        }
    }

    private func endEverything() {
        for ended in scheduler.stop(isOverBudget ? .skipped : .cancelled) { tellEnded(ended) }
        for task in activities.keys.sorted() {
            switch activities[task] {
            case .preparing(let flag): flag.set()
            case .transferring(let transfer): transfer.cancel()
            case .working(let control, _):
                control.stop(.cancelled)
                timers.add(.abandon(task: task), due: SteadyClock.now + Self.patience)
            case .resting(let attempt): endResting(task, attempt)
            case nil: break
            }
        }
    }

    private var isOverBudget: Bool { stopReason?.isBudget ?? false }

    /// What a task comes to that was stopped on the way.
    var cancelledOutcome: TaskFinished.Outcome { isOverBudget ? .skipped : .cancelled }
    var cancelledResult: Scheduler.Result { isOverBudget ? .skipped : .cancelled }

    /// Ends the run early for a reason of the machine's; what is under way elsewhere goes on.
    func park() {
        if stopReason == nil { stopReason = .parked }
    }

    /// One round: what libcurl has to tell, timers, new starts.
    ///
    /// Returns how long nothing will be due.
    func tick() -> Duration? {
        guard case .running = phase else { return nil }
        let networkWait = engine.tick()
        let now = SteadyClock.now
        while let purpose = timers.next(at: now) { fire(purpose, at: now) }
        checkBudget()
        pump()
        if !untoldHolds.isEmpty { tellHolds(at: now) }
        if usesSegments { offerSegments(at: now) }
        var due = housekeep(at: now)
        if options.wantsProgress { due = min(due ?? .seconds(3600) + now, progress(at: now)) }
        if let timer = timers.nextDue() { due = min(due ?? timer, timer) }
        if let booking = bookkeeper?.housekeep(at: now) { due = min(due ?? booking, booking) }
        if scheduler.isDone, bookkeeper?.isClosing == false { close() }
        if workers.wake() { due = min(due ?? .seconds(3600) + now, now + Self.workerPatience) }
        let wait = due.map { max(.zero, $0 - now) }
        guard let networkWait else { return wait }
        return min(wait ?? networkWait, networkWait)
    }

    private func fire(_ purpose: TimerPurpose, at now: Duration) {
        switch purpose {
        case .wake(let task):
            switch activities[task] {
            case .transferring(let transfer): transfer.timerFired()
            case .resting: scheduler.woke(task)
            case .preparing, .working, nil: break
            }
        case .giveUpAttempt(let task, let attempt, let fault):
            if case .working(_, attempt) = activities[task] { giveUpWork(task, fault) }
        case .giveUp(let task, let fault, let rested): giveUp(task, fault, rested: rested, at: now)
        case .heartbeat:
            timers.add(.heartbeat, due: SteadyClock.now + Lease.heartbeatInterval)
            let (site, deliver) = (site, deliver)
            Lane(on: workers).submit {
                if !site.heartbeat() { deliver?(WorkerNews(task: -1, kind: .leaseLost)) }
            }
        case .abandon(let task): abandonWork(task)
        case .letGo(let lane): letGo(lane, at: now)
        case .hours: lookAtHours()
        case .suspend: suspendTransfers(at: now)
        case .budget(let time): stop(.budget(.time(time)))
        }
    }

    var isStopping: Bool {
        switch stopReason {
        case .signal, .budget: true
        case .parked, nil: false
        }
    }

    private func pump() {
        while let step = scheduler.next(leaves: { leaves($0) }) {
            switch step {
            case .start(let task): begin(task)
            case .resume(let task):
                if case .resting(let attempt) = activities[task] { work(task, attempt: attempt + 1) }
                guard case .transferring(let transfer) = activities[task] else { continue }
                // A file that was found wrong while the run was being stopped is not asked for again.
                if isStopping { transfer.cancel() } else { proceed(transfer) }
            }
        }
    }

    private func housekeep(at now: Duration) -> Duration? {
        // A round may take a tenth of a millisecond, and nothing of this is as pressing.
        let due = housekept + Self.housekeepingInterval
        if now < due { return activities.isEmpty ? nil : due }
        housekept = now
        var next: Duration?
        if usesSegments, !activities.isEmpty { next = now + .milliseconds(100) }
        for case .transferring(let transfer) in activities.values {
            guard let due = transfer.housekeep(at: now) else { continue }
            next = min(next ?? due, due)
        }
        return next
    }

    /// Tells of every transfer's progress ten times a second; returns when the next time is.
    private func progress(at now: Duration) -> Duration {
        let interval = Duration.milliseconds(100)
        guard now - lastProgress >= interval else { return lastProgress + interval }
        lastProgress = now
        for task in activities.keys.sorted() {
            let have: Int64, total: Int64?
            switch activities[task] {
            case .transferring(let transfer):
                (have, total) = sent[task].map { (min(transfer.sent, $0.file.size), $0.file.size) } ?? transfer.progress
            case .working(let control, _): (have, total) = control.progress
            case .preparing, .resting, nil: continue
            }
            tell(.taskProgress(TaskProgress(task: plan.tasks[task].task.id, bytes: have, total: total, rate: nil)))
        }
        return now + interval
    }

    /// What the run came to is settled now; the ledger gets its last rows.
    private func close() {
        let finished = finished()
        settled = finished
        bookkeeper?.close(
            holds: holdsToKeep(), finished: finished, last: settlement.flatMap { $0.recording(plan, at: site) })
    }

    private func finished() -> RunFinished {
        // A budget that the last task used up has kept nobody from anything.
        let stop = isOverBudget && tally.counts[.skipped] == nil ? nil : stopReason
        var finished = tally.runFinished(stop: stop, duration: SteadyClock.now - runBegan)
        finished.reason = StopText.reason(
            stop, plan.job.limits, hasFailedTooOften: scheduler.hasFailedTooOften, parking: parking
        ).map(words.redactor.text)
        return finished
    }

    /// Ends the run once the ledger has its last rows.
    func finish() {
        guard case .running(_, let whenOver) = phase else { return }
        let finished = settled ?? finished()
        tell(.runFinished(finished))
        phase = .over
        whenOver(finished)
    }

    // MARK: - Telling

    func tell(_ kind: RunEvent.Kind) {
        guard case .running(let sink, _) = phase else { return }
        sink(RunEvent(time: WallClock.milliseconds, kind: kind))
    }

    /// Tells of something that fails no task.
    func warn(_ message: String) {
        tell(.warning(RunWarning(words.redactor.text(message))))
    }

    func warn(_ refusal: Bookkeeper.Refusal) {
        guard refusal != lastRefusal else { return }
        lastRefusal = refusal
        warn("the ledger was not written: \(refusal.message)")
    }

    /// Ends a task that was started, and all that ends with it.
    func end(_ task: Int, _ finished: TaskFinished, _ result: Scheduler.Result) {
        var finished = finished
        activities[task] = nil
        if let began = began.removeValue(forKey: task) {
            let ready = plan.tasks[task].needs.compactMap { ended[$0] }.max() ?? runBegan
            finished.timing.queued = began - ready
        }
        if hasNeeds { ended[task] = SteadyClock.now }
        engine.rates.forget(task: task)
        for id in limits.removeValue(forKey: task) ?? [] { timers.callOff(id) }
        tally.add(finished)
        tell(.taskFinished(finished))
        for ended in scheduler.finished(task, result) { tellEnded(ended) }
    }

    /// A task that ends without having been started.
    private func tellEnded(_ ended: Scheduler.Ended) {
        let task = plan.tasks[ended.task].task
        var finished = TaskFinished(task, .cancelled)
        switch ended.cause {
        case .blocked(let by):
            finished.outcome = .blocked
            finished.blockedBy = plan.tasks[by].task.id
        case .skipped: finished.outcome = .skipped
        case .cancelled: finished.outcome = .cancelled
        }
        tally.add(finished)
        tell(.taskFinished(finished))
    }
}

extension NameClaims {
    /// The paths of a plan's tasks; none where no server gives a name.
    fileprivate convenience init(of plan: Plan) {
        var planned: [ExactText: Int] = [:]
        let isNeeded = plan.tasks.contains { planned in
            if case .download(let download) = planned.task.action { return download.serverName != nil }
            return false
        }
        for (index, task) in plan.tasks.enumerated() where isNeeded {
            for output in task.task.action.work.outputs { planned[output.path.path] = index }
        }
        self.init(planned)
    }
}
