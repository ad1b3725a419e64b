import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

extension RunExecutor: TransferHost {
    var rested: Duration {
        // Asked for with every event, and most runs never rest.
        if case .open = hours { timeClosed } else { rest(at: SteadyClock.now) }
    }

    func transfer(_ transfer: Transfer, waitsFor origin: Origin) {
        scheduler.yielded(transfer.task)
        scheduler.woke(transfer.task, in: lane(of: origin))
    }

    func transfer(_ transfer: Transfer, sleepsFor duration: Duration) {
        scheduler.yielded(transfer.task)
        timers.add(.wake(task: transfer.task), due: SteadyClock.now + duration)
    }

    func transferIsComplete(_ transfer: Transfer) {
        // Whoever wants one file after the other gets that; and where the disk is slower than the network, no more files
        // than there are slots wait for it.
        let waiting = activities.count - scheduler.running
        guard concurrency > 1, waiting < concurrency else { return }
        scheduler.yielded(transfer.task)
    }

    func transfer(_ transfer: Transfer, ended segment: SegmentID) {
        guard let lane = lent[transfer.task]?.removeValue(forKey: segment) else { return }
        scheduler.giveBack(lane)
    }

    func transfer(_ transfer: Transfer, leads segment: SegmentID, to origin: Origin) {
        ledSegments.append((transfer, segment, origin))
    }

    /// Lets segments follow their redirects where the targets' gates allow it; one that was led elsewhere than the main
    /// stream changes its slot.
    private func followRedirects(at now: Duration) {
        let led = ledSegments
        ledSegments = []
        for (transfer, segment, origin) in led {
            guard let held = lent[transfer.task]?[segment] else { continue }
            let target = lane(of: origin)
            guard mayAsk(target, at: now), held == target || move(segment, of: transfer.task, to: target) else {
                transfer.segmentRefused(segment)
                continue
            }
            if let target { requestStarts(in: target, at: now) }
            transfer.segmentGranted(segment)
        }
    }

    /// Whether a lane's gate lets a request through now.
    private func mayAsk(_ lane: Int?, at now: Duration) -> Bool {
        lane.map { origins[$0].gate.opensAt <= now } ?? true
    }

    private func move(_ segment: SegmentID, of task: Int, to target: Int?) -> Bool {
        guard let held = lent[task]?.removeValue(forKey: segment) else { return false }
        scheduler.giveBack(held)
        guard scheduler.lend(target) else { return false }
        lent[task, default: [:]][segment] = .some(target)
        return true
    }

    /// Lends slots that nobody wants to transfers that more connections would help.
    func offerSegments(at now: Duration) {
        followRedirects(at: now)
        for case .transferring(let transfer) in activities.values {
            while let wish = transfer.wantsSegment(at: now) {
                let (asked, lane) = (lane(of: wish.asked), lane(of: wish.origin))
                guard mayAsk(asked, at: now), scheduler.lend(lane) else { break }
                guard let segment = transfer.beginSegment() else {
                    scheduler.giveBack(lane)
                    break
                }
                lent[transfer.task, default: [:]][segment] = .some(lane)
                if let asked { requestStarts(in: asked, at: now) }
            }
            transfer.startPending()
        }
    }

    func transfer(_ transfer: Transfer, reports report: TransferReport) {
        let id = plan.tasks[transfer.task].task.id
        switch report {
        case .attemptStarted(let number, let url, let resumedFrom, let piece):
            tell(
                .attemptStarted(
                    AttemptStarted(
                        task: id, attempt: number, url: words.redactor.url(url), resumedFrom: resumedFrom,
                        piece: piece)))
        case .attemptFailed(
            let number, let url, let resumedFrom, let piece, let fault, let received, let retryIn, let nextURL):
            var failure = words.failure(fault, url: url)
            failure.bytes = received
            tell(
                .attemptFailed(
                    AttemptFailed(
                        task: id, attempt: number, url: words.redactor.url(url), resumedFrom: resumedFrom,
                        piece: piece, failure: failure, retryIn: retryIn, nextURL: nextURL.map(words.redactor.url))))
        }
    }

    func transfer(_ transfer: Transfer, endedWith result: TransferResult) {
        let index = transfer.task
        let task = plan.tasks[index].task
        var finished = TaskFinished(task, .succeeded)
        finished.transferred = result.transferred
        finished.resumedFrom = result.resumedFrom
        finished.url = words.redactor.url(result.url)
        finished.finalURL = result.finalURL.isEmpty ? nil : words.redactor.url(result.finalURL)
        finished.attempts = result.attempts
        finished.http = http(result)
        finished.timing = timing(result, began: began[index])
        if case .upload(let upload) = task.action { return endUpload(index, upload, result, &finished) }
        guard case .download(let download) = task.action else { return }
        switch result.ending {
        case .succeeded:
            finished.bytes = result.published?.file?.size
            if let path = result.published?.path { finished.to = path.text }
            finished.digest = result.published.flatMap { Self.digestToTell($0.digests, download) }
            book(result, download)
            compareSources(result, download.sources)
            if let file = result.published?.file { settlement?.settle(index, file) }
            end(index, finished, .succeeded)
        case .notModified:
            finished.outcome = .upToDate
            finished.bytes = directory.state(of: download.path)?.size
            do throws(StorageError) {
                try applyMode(index, download)
                end(index, finished, .succeeded)
            } catch {
                fail(index, error, at: download.path)
            }
        case .cancelled: endCancelled(index, &finished)
        case .failed(let fault): endFailed(index, fault, result, at: download.path, &finished)
        }
    }

    /// Gives a file that the server says is still the right one the mode that the task asks for.
    private func applyMode(_ index: Int, _ download: Download) throws(StorageError) {
        guard let mode = download.mode, let validators = plan.tasks[index].validators,
            let file = try directory.openPresent(download.path), file.state.mode != mode
        else { return }
        // The time of change is another now; a row that does not fit would have the file fetched anew.
        bookkeeper?.add(
            PublishedFile(
                path: download.path, state: try file.setMode(mode), source: download.sources[validators.source],
                request: download.request, etag: validators.etag, lastModified: validators.lastModified,
                published: WallClock.seconds))
    }

    func endCancelled(_ index: Int, _ finished: inout TaskFinished) {
        finished.outcome = cancelledOutcome
        end(index, finished, cancelledResult)
    }

    /// - Parameter path: where the disk may have refused what the transfer wrote.
    func endFailed(
        _ index: Int, _ fault: Fault, _ result: TransferResult, at path: TargetPath, _ finished: inout TaskFinished
    ) {
        finished.outcome = .failed
        finished.failure = words.failure(fault, url: result.url, sources: result.sourceFaults)
        if case .storage(let error) = fault.cause { park(error, at: path) }
        end(index, finished, .failed)
    }

    /// Records a file that was put in place.
    private func book(_ result: TransferResult, _ download: Download) {
        guard let published = result.published, let file = published.file else { return }
        lookAtBackup(published, download.path)
        if published.tookPlace { warn(words.tookPlace(published.path ?? download.path)) }
        note(published.digests, of: file, at: published.path ?? download.path)
        let source = download.sources.first { $0.url.text == result.url }
        bookkeeper?.add(
            PublishedFile(
                path: published.path ?? download.path, state: file, digests: Array(published.digests.values),
                source: source,
                request: download.request, etag: words.redactor.unlessSecret(result.head?.etag),
                lastModified: words.redactor.unlessSecret(result.head?.lastModified),
                published: WallClock.seconds))
    }

    private func http(_ result: TransferResult) -> TaskFinished.HTTP? {
        guard let head = result.head, let version = result.httpVersion else { return nil }
        return TaskFinished.HTTP(
            status: head.status, version: version, etag: head.etag, lastModified: head.lastModified,
            contentType: head.contentType)
    }

    private func timing(_ result: TransferResult, began: Duration?) -> TaskFinished.Timing {
        var timing = TaskFinished.Timing()
        timing.dns = result.phases.dns
        timing.connect = result.phases.connect
        timing.tls = result.phases.tls
        timing.firstByte = result.phases.firstByte
        timing.transfer = result.phases.transfer
        timing.verify = result.published?.verifyTime
        timing.publish = result.published?.publishTime
        timing.total = began.map { SteadyClock.now - $0 }
        return timing
    }
}

extension TaskFinished {
    /// The part that every ended task has.
    init(_ task: JobTask, _ outcome: Outcome) {
        let work = task.action.work
        self.init(
            task: task.id, kind: work.kind, outcome: outcome, isOptional: task.isOptional, place: task.place,
            to: work.targetText)
    }
}
