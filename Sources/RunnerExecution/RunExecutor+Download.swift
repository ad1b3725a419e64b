import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

extension RunExecutor {
    /// Starts a task that has been given a slot.
    func begin(_ index: Int) {
        let planned = plan.tasks[index]
        if planned.verdict == .upToDate {
            var finished = TaskFinished(planned.task, .upToDate)
            finished.bytes = planned.record?.size ?? planned.bytes
            settleRecorded(planned, index)
            end(index, finished, .succeeded)
            return
        }
        if isParked(planned.task) {
            end(index, TaskFinished(planned.task, .skipped), .skipped)
            return
        }
        began[index] = SteadyClock.now
        tell(.taskStarted(started(planned)))
        guard case .download(let download) = planned.task.action else {
            if case .upload(let upload) = planned.task.action {
                prepareUpload(index, upload)
            } else {
                work(index, attempt: 1)
            }
            return
        }
        switch planned.reason {
        case .existsAndMustNot: fail(index, words.existsAndMustNot(download.path))
        case .notAFile: fail(index, words.failure(obstacle(at: download.path)))
        default: prepare(index, download)
        }
    }

    /// What lies where a file is wanted and is none.
    private func obstacle(at path: TargetPath) -> StorageError {
        directory.state(of: path)?.kind == .other
            ? .destinationIsSpecial(path: path.text) : .destinationIsFolder(path: path.text)
    }

    /// Takes what the ledger says of a file that the plan found as it says, or what lies there where that is kept.
    private func settleRecorded(_ planned: PlannedTask, _ index: Int) {
        guard settlement != nil, case .download(let download) = planned.task.action else { return }
        if let state = planned.record.map(FileState.init) ?? directory.state(of: download.path) {
            settlement?.settle(index, state)
        }
    }

    private func started(_ planned: PlannedTask) -> TaskStarted {
        let work = planned.task.action.work
        return TaskStarted(
            task: planned.task.id, kind: work.kind, source: words.redactor.url(work.sourceText),
            to: words.redactor.url(work.targetText), verdict: planned.verdict, reason: planned.reason,
            place: planned.task.place, bytes: planned.bytes)
    }

    private func prepare(_ index: Int, _ download: Download) {
        let planned = plan.tasks[index]
        let list = plan.checksumList(of: planned)
        let compares = planned.verdict == .verify
        let files = RequestFiles(
            download.request, scheme: download.sources.first?.origin.scheme ?? "", bodyFile: bodyFile(download),
            environment: environment)
        guard list != nil || compares || !files.isEmpty else {
            transfer(index, download, listed: [])
            return
        }
        let flag = CancelFlag()
        activities[index] = .preparing(flag)
        let preparation = Preparation(
            download: download, files: files, list: list, comparesExisting: compares, record: planned.record,
            directory: directory, lists: lists, isCancelled: flag)
        let deliver = deliver
        Lane(on: workers).submit { deliver?(WorkerNews(task: index, kind: .prepared(preparation.run()))) }
    }

    /// Absolute path of the file that is a request's body.
    private func bodyFile(_ download: Download) -> String? {
        guard case .file(let path, _) = download.request.body else { return nil }
        return path.isAbsolute ? path.text : plan.job.directory + "/" + path.text
    }

    /// What a worker has to tell.
    func take(_ news: WorkerNews) {
        switch news.kind {
        case .booked(let refusal):
            if let refusal { warn(refusal) }
            if scheduler.isDone, bookkeeper?.isClosing == true { finish() }
        case .leaseLost:
            warn("another run has taken this job over; this one ends")
            stop(.parked)
        case .written(let report):
            if case .transferring(let transfer) = activities[news.task] { transfer.take(report) }
        case .worked(let result): take(result, of: news.task)
        case .preparedUpload(let outcome): take(outcome, of: news.task)
        case .prepared(let outcome):
            guard case .preparing = activities[news.task] else { return }
            take(outcome, of: news.task)
        }
    }

    private func take(_ outcome: Preparation.Outcome, of index: Int) {
        let task = plan.tasks[index].task
        guard case .download(let download) = task.action else { return }
        switch outcome {
        case .upToDate(let file, let digests, let record):
            book(file, digests, download, as: record)
            endUpToDate(index, file, digests, download)
        case .recorded(let file, let digests):
            let known = Dictionary(digests.map { ($0.algorithm, $0) }) { first, _ in first }
            endUpToDate(index, file, known, download)
        case .fetch(let listed):
            transfer(index, download, listed: listed)
        case .cancelled:
            end(index, TaskFinished(task, cancelledOutcome), cancelledResult)
        case .failed(.list(let path, let error)):
            var name = path
            if case .url(let url)? = download.checksumList?.source { name = words.redactor.url(url.url.text) }
            fail(index, words.failure(error, list: name))
        case .failed(.storage(let error)):
            fail(index, error, at: download.path)
        case .failed(.request(let fault)):
            fail(index, words.failure(fault, url: download.sources.first?.url.text ?? ""))
        }
    }

    /// Records a file that was found to be right.
    ///
    /// Where it came from only its row says, which this one takes the place of.
    private func book(
        _ file: FileState, _ digests: [DigestAlgorithm: Digest], _ download: Download, as record: PublishedRecord?
    ) {
        let source = record.flatMap { record in
            download.sources.first { SourceKey.of($0, download.request) == record.sourceKey }
        }
        bookkeeper?.add(
            PublishedFile(
                path: download.path, state: file, digests: Array(digests.values), source: source,
                request: download.request, etag: source.flatMap { _ in record?.etag },
                lastModified: source.flatMap { _ in record?.lastModified },
                published: record?.published ?? WallClock.seconds))
    }

    private func endUpToDate(
        _ index: Int, _ file: FileState, _ digests: [DigestAlgorithm: Digest], _ download: Download
    ) {
        var finished = TaskFinished(plan.tasks[index].task, .upToDate)
        finished.bytes = file.size
        finished.digest = Self.digestToTell(digests, download)
        finished.timing.total = began[index].map { SteadyClock.now - $0 }
        states.removeLeftover(of: download.partPath)
        settlement?.settle(index, file)
        end(index, finished, .succeeded)
    }

    private func transfer(_ index: Int, _ download: Download, listed: [Digest]) {
        let task = plan.tasks[index].task
        let verification = Verification(of: download, listed: listed)
        let sources = inOrder(download.sources)
        var machine = TransferMachine.Configuration(
            sources: sources, policy: RetryPolicy(task.retry), segments: download.segments,
            resolve: URLResolution.resolve, statuses: download.expect.statuses)
        machine.total = task.timeout.total
        machine.isGuardedByDigest = verification.digests.contains { !$0.algorithm.isWeak }
        machine.size = download.size
        machine.maxSize = download.expect.maxSize
        machine.mediaType = download.expect.mediaType
        machine.etagIsMD5 = download.expect.etagIsMD5
        machine.revalidation = plan.tasks[index].validators
        machine.redirects = RedirectRules(
            limit: download.request.network.redirects.max,
            allowsDowngrade: download.request.network.redirects.downgrade, routes: plan.job.hosts.routes)
        machine.isRepeatable = download.request.isRepeatable
        machine.isResumable = download.request.method == "GET"
        if !machine.isResumable { machine.segments = .single }
        do throws(StorageError) {
            let identity = PartIdentity(of: download, digests: verification.digests)
            let part = try earlierPart(
                of: download, identity: identity, isGuarded: machine.isGuardedByDigest, sources)
            var order = PartWriter.Order(
                path: download.partPath, identity: options.identity, verification: verification, mode: download.mode,
                directory: directory, states: states, partIdentity: identity)
            order.namesOutOfBackup = backups.names(beside: download)
            order.badFiles = options.keepBad.map { BadFiles(folder: $0) }
            var setup = Transfer.Setup(
                machine: machine, request: download.request, timeout: task.timeout,
                userAgent: "runner/\(options.version)", setsModificationTime: download.modificationTime == .server,
                bodyFile: bodyFile(download))
            setup.layers = download.layers
            if let name = download.serverName {
                order.naming = Naming(name, exists: download.exists, task: index, claims: claims)
                setup.asksName = true
                setup.earlierName = part == nil ? nil : try states.load(download.partPath)?.name
            }
            start(index, setup, part, order)
        } catch {
            fail(index, error, at: download.path)
        }
    }

    func start(
        _ index: Int, _ setup: consuming Transfer.Setup, _ part: Part?, _ order: consuming PartWriter.Order
    ) {
        let deliver = deliver
        let writer = PartWriter(order, hasState: part != nil, workers: workers, pool: pool) {
            deliver?(WorkerNews(task: index, kind: .written($0)))
        }
        let transfer = Transfer(
            task: index, setup: setup, part: part ?? Part(), engine: engine, writer: writer, pool: pool, host: self)
        activities[index] = .transferring(transfer)
        if case .download(let download) = plan.tasks[index].task.action, let rate = download.rate {
            engine.rates.limit(.task(index), to: rate)
        }
        setLimits(index, plan.tasks[index].task)
        proceed(transfer)
    }

    /// What an earlier run left of a file, if it is a part of what is wanted now.
    private func earlierPart(
        of download: Download, identity: PartIdentity, isGuarded: Bool, _ sources: [SourceURL]
    ) throws(StorageError) -> Part? {
        guard let state = try states.load(download.partPath) else { return nil }
        guard state.identity == (try identity.hex()),
            let length = try directory.partLength(of: download.partPath, identity: options.identity)
        else { return Part() }
        let trusted = state.trusted(length, isGuardedByDigest: isGuarded)
        var present = ByteRanges(CollectionOfOne(0..<trusted))
        if let ranges = state.ranges {
            present = ByteRanges(ranges.filter { $0.count == 2 && 0 <= $0[0] && $0[0] < $0[1] }.map { $0[0]..<$0[1] })
            present.cut(at: trusted)
        }
        return Part(
            present: present, total: state.total,
            validator: Validator(etag: state.etag, lastModified: state.lastModified),
            source: sources.firstIndex { PartIdentity.withoutQuery($0) == state.source })
    }

    func setLimits(_ index: Int, _ task: JobTask) {
        let start = began[index] ?? SteadyClock.now
        let rested = rest(at: start)
        var ids: [TimerQueue<TimerPurpose>.ID] = []
        func add(_ limit: Duration, _ cause: Fault.Cause) {
            let purpose = TimerPurpose.giveUp(task: index, Fault(.timeout, cause), rested: rested)
            ids.append(timers.add(purpose, due: start + limit))
        }
        if let total = task.timeout.total { add(total, .totalTimeout(total)) }
        if let deadline = task.retry.deadline { add(deadline, .deadline(deadline)) }
        if !ids.isEmpty { limits[index] = ids }
    }

    /// Ends a task that was started by a failure.
    func fail(_ index: Int, _ failure: TaskFailure) {
        let task = plan.tasks[index].task
        var finished = TaskFinished(task, .failed)
        finished.failure = failure
        finished.timing.total = began[index].map { SteadyClock.now - $0 }
        if failure.faultClass == .storage { park() }
        end(index, finished, .failed)
    }

    /// The digest that the report names: the first that the job asks for.
    static func digestToTell(_ digests: [DigestAlgorithm: Digest], _ download: Download) -> Digest? {
        download.digests.lazy.filter { !$0.algorithm.isWeak }.compactMap { digests[$0.algorithm] }.first
            ?? digests.values.max { $0.bytes.count < $1.bytes.count }
    }
}
