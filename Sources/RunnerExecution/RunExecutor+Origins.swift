import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// What the run knows of one origin; its index is the number of the scheduler's lane.
struct OriginRecord {
    let origin: Origin
    var gate: OriginGate
    /// Requests in flight that the job allows; nil for as many as every origin may have.
    let cap: Int?
    /// Its last refusal, or the failure by which it was found to be down.
    var lastFault = Fault(.rateLimited, .askedEarlier)
    /// When the timer fires that lets requests start again; nil when none is set.
    var timer: Duration?
    /// What it failed with where a mirror had the file; nil while nothing speaks against it.
    var failing: Fault?
    /// Whether the user knows that it is asked last.
    var isToldLast = false
    /// Until when the user knows that it is left alone.
    var toldUntil = Duration.zero
}

extension RunExecutor {
    /// Waits longer than this are worth asking every waiting task whether it has something better to do.
    private static let longHold = Duration.seconds(5)

    /// A server that means a point in time where seconds are due, or a clock that was wrong, would shut later runs out
    /// for years.
    private static let longestKept = Duration.seconds(86_400)

    /// The lane of an origin; local files have none.
    func lane(of origin: Origin) -> Int? {
        guard origin.scheme != "file" else { return nil }
        if let lane = lanes[origin] { return lane }
        lanes[origin] = origins.count
        addOrigin(origin)
        return origins.count - 1
    }

    /// Begins the record of an origin, with what the job and earlier runs say of it.
    func addOrigin(_ origin: Origin) {
        let policy = plan.job.hosts.policy(for: origin)
        let lane = origins.count
        var record = OriginRecord(
            origin: origin, gate: OriginGate(interval: policy.interval ?? .zero), cap: policy.perHost)
        let now = SteadyClock.now
        if let until = options.initialHolds[origin.description] {
            record.gate.hold(for: min(.milliseconds(until - WallClock.milliseconds), Self.longestKept), at: now)
        }
        origins.append(record)
        noteHold(of: lane, at: now)
        if let rate = policy.rate { engine.rates.limit(.origin(origin), to: rate) }
        settle(lane, at: now)
    }

    /// Tells the scheduler what an origin's gate allows now, and sets the timer for when that changes.
    func settle(_ lane: Int, at now: Duration) {
        let record = origins[lane]
        scheduler.setCap(record.gate.isProbing ? 1 : record.cap, of: lane)
        let opensAt = record.gate.opensAt
        guard opensAt > now else {
            scheduler.letGo(lane)
            return
        }
        scheduler.hold(lane)
        guard record.timer.map({ $0 < opensAt }) ?? true else { return }
        origins[lane].timer = opensAt
        timers.add(.letGo(lane: lane), due: opensAt)
    }

    /// The timer of a lane has fired; one that was set later may still be running.
    func letGo(_ lane: Int, at now: Duration) {
        guard let timer = origins[lane].timer, timer <= now else { return }
        origins[lane].timer = nil
        settle(lane, at: now)
    }

    // MARK: Leave to ask

    /// Lets a transfer that has a slot make its request, unless its origin is to be left alone.
    func proceed(_ transfer: Transfer) {
        guard let origin = transfer.awaitedOrigin, let lane = lane(of: origin) else {
            transfer.granted()
            return
        }
        let now = SteadyClock.now
        if scheduler.isRunning(transfer.task, in: lane), scheduler.isOpen, origins[lane].gate.opensAt <= now {
            requestStarts(in: lane, at: now)
            transfer.granted()
        } else if let refusal = refusal(of: lane, at: now), transfer.leaves(refusal) {
            transfer.refused(refusal)
        } else {
            scheduler.yielded(transfer.task)
            scheduler.woke(transfer.task, in: lane)
        }
    }

    func requestStarts(in lane: Int, at now: Duration) {
        origins[lane].gate.started(at: now)
        settle(lane, at: now)
    }

    /// Why an origin is not asked now; nil when it is only paced, or not held at all.
    private func refusal(of lane: Int, at now: Duration) -> Refusal? {
        let record = origins[lane]
        let wait = record.gate.hold(at: now)
        guard wait > .zero else { return nil }
        return Refusal(origin: record.origin, wait: wait, openings: record.gate.openings, fault: record.lastFault)
    }

    /// Whether a task that waits for a held origin has something better to do.
    func leaves(_ task: Int) -> Bool {
        let now = SteadyClock.now
        if case .transferring(let transfer) = activities[task] {
            guard let lane = transfer.awaitedOrigin.flatMap({ lanes[$0] }), let refusal = refusal(of: lane, at: now)
            else { return false }
            return transfer.leaves(refusal)
        }
        guard case .download(let download) = plan.tasks[task].task.action, let first = download.sources.first,
            let lane = lanes[first.origin], let refusal = refusal(of: lane, at: now)
        else { return false }
        return refusal.isFinal(plan.tasks[task].task.retry, total: plan.tasks[task].task.timeout.total)
            || download.sources.contains { source in
                guard source.origin != first.origin else { return false }
                return lanes[source.origin].map { origins[$0].gate.hold(at: now) == .zero } ?? true
            }
    }

    // MARK: Answers

    func transfer(_ transfer: Transfer, received head: ReplyHead, from origin: Origin) -> Int {
        guard let lane = lane(of: origin) else { return 0 }
        let now = SteadyClock.now
        if ReplyRules.faultClass(of: head) == .rateLimited {
            let told = head.rateSignal.flatMap { $0.remaining == 0 ? $0.reset : nil }
            // A store says by its code what others say by 429.
            let learnsPace = head.status == 429 || head.document?.faultClass == .rateLimited
            origins[lane].gate.refused(for: head.retryAfter ?? told, learnsPace: learnsPace, at: now)
            origins[lane].lastFault = ReplyRules.statusFault(head)
        } else {
            let others = scheduler.running(in: lane) - 1
            origins[lane].gate.answered(
                head.rateSignal, isServed: ReplyRules.isServed(head), inFlight: others, at: now)
        }
        settle(lane, at: now)
        if origins[lane].gate.hold(at: now) > Self.longHold { scheduler.reconsider(lane) }
        noteHold(of: lane, at: now)
        return origins[lane].gate.served
    }

    func transfer(_ transfer: Transfer, hadNoReplyFrom origin: Origin, on connection: Int?, _ fault: Fault) {
        guard let lane = lane(of: origin) else { return }
        switch fault.faultClass {
        case .dns, .connect, .reset, .timeout, .stall, .truncated, .protocol: break
        default: return
        }
        let now = SteadyClock.now
        guard origins[lane].gate.failed(at: now, on: connection) else { return }
        origins[lane].lastFault = fault
        settle(lane, at: now)
        scheduler.reconsider(lane)
        noteHold(of: lane, at: now)
    }

    /// Notes that an origin is left alone for a time that is long enough to look like standing still.
    private func noteHold(of lane: Int, at now: Duration) {
        guard origins[lane].gate.hold(at: now) > Self.longHold, now >= origins[lane].toldUntil else { return }
        untoldHolds.insert(lane)
    }

    /// Says once for every such stretch of time that tasks wait for it.
    func tellHolds(at now: Duration) {
        for lane in untoldHolds {
            let record = origins[lane]
            let wait = record.gate.hold(at: now)
            if wait > Self.longHold {
                guard scheduler.isWaiting(in: lane) else { continue }
                origins[lane].toldUntil = now + wait
                warn(words.hold(record.origin, for: wait, record.lastFault))
            }
            untoldHolds.remove(lane)
        }
    }

    // MARK: Mirrors

    /// The sources of a file in order of preference, those last whose origins failed where others had a file.
    func inOrder(_ sources: [SourceURL]) -> [SourceURL] {
        guard sources.count > 1 else { return sources }
        func isFailing(_ source: SourceURL) -> Bool { lanes[source.origin].map { origins[$0].failing != nil } ?? false }
        let order = sources.filter { !isFailing($0) } + sources.filter(isFailing)
        for (source, other) in zip(sources, order) where source != other {
            guard isFailing(source), let lane = lanes[source.origin], let fault = origins[lane].failing,
                !origins[lane].isToldLast
            else { continue }
            origins[lane].isToldLast = true
            warn(words.askedLast(source.origin, fault))
        }
        return order
    }

    /// Compares what a file's sources came to: what failed where another one served is asked last from now on.
    func compareSources(_ result: TransferResult, _ sources: [SourceURL]) {
        func lane(_ url: String) -> Int? { sources.first { $0.url.text == url }.flatMap { lanes[$0.origin] } }
        guard sources.count > 1, let serving = lane(result.url) else { return }
        origins[serving].failing = nil
        for (url, fault) in result.sourceFaults {
            guard let failing = lane(url), failing != serving else { continue }
            switch fault.faultClass {
            // A file that one mirror lacks, or a connection that broke once, says nothing of the next file.
            case .integrity, .content, .server, .dns, .connect, .tls, .timeout, .stall: origins[failing].failing = fault
            default: break
            }
        }
    }

    /// Wishes to be left alone that outlast the run, for the next one.
    func holdsToKeep() -> [OriginHold] {
        let (now, wall) = (SteadyClock.now, WallClock.milliseconds)
        return origins.compactMap { record in
            let wait = min(record.gate.wish(at: now), Self.longestKept)
            guard wait > .zero else { return nil }
            return OriginHold(
                origin: record.origin.description, until: wall + Int64((wait.seconds * 1000).rounded(.up)),
                reason: record.lastFault.faultClass.rawValue)
        }
    }
}
