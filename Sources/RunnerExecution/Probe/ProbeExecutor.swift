import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// Carries a probe out: one conversation for each source, under the caps of the job.
///
/// Belongs to the network thread. Only the heads of replies are kept; a conversation goes on when its exchange is over.
final class ProbeExecutor {
    /// One source that is asked.
    private final class Conversation {
        let task: Int
        let source: Int
        let download: Download
        var machine: ProbeMachine
        /// The request that is under way.
        var request: HeadRequest?
        var httpVersion: String?

        init(task: Int, source: Int, download: Download, machine: ProbeMachine) {
            self.task = task
            self.source = source
            self.download = download
            self.machine = machine
        }
    }

    private enum Phase {
        case idle
        case asking(whenOver: (PlanProbe?) -> Void)
        case over
    }

    private let plan: Plan
    private let options: RunOptions
    private let environment: NetworkEnvironment
    private let engine: TransferEngine
    private let words: FaultText
    private var queue: ProbeQueue<Origin, Conversation>
    private var active: [ObjectIdentifier: Conversation] = [:]
    private var found: [Int: [Int: SourceProbe]] = [:]
    private var phase = Phase.idle

    init(plan: Plan, options: RunOptions, loop: EventLoop) throws(EngineFailure) {
        self.plan = plan
        self.options = options
        words = FaultText(redactor: Redactor(secrets: plan.job.secrets))
        let concurrency = DescriptorLimit.concurrency(options.concurrency ?? plan.job.limits.concurrency)
        environment = NetworkEnvironment(options.environment)
        engine = try TransferEngine(on: loop, environment: environment, connections: concurrency)
        queue = ProbeQueue(concurrency: concurrency) { origin in
            let policy = plan.job.hosts.policy(for: origin)
            return ProbeQueue.Rule(cap: policy.perHost ?? plan.job.limits.perHost, interval: policy.interval ?? .zero)
        }
    }

    /// Begins, unless it was stopped before.
    func start(whenOver: @escaping (PlanProbe?) -> Void) {
        guard case .idle = phase else {
            whenOver(nil)
            return
        }
        phase = .asking(whenOver: whenOver)
        for index in plan.order where plan.tasks[index].verdict != .upToDate {
            guard case .download(let download) = plan.tasks[index].task.action else { continue }
            // Another method may change something at the server.
            guard download.request.method == "GET" else { continue }
            for source in download.sources.indices { begin(index, source, download) }
        }
    }

    func stop() {
        for conversation in active.values { conversation.request?.cancel() }
        active = [:]
        let before = phase
        phase = .over
        if case .asking(let whenOver) = before { whenOver(nil) }
    }

    /// One round: what libcurl has to tell, and new requests; returns how long nothing will be due.
    func tick() -> Duration? {
        let wait = engine.tick()
        guard case .asking(let whenOver) = phase else { return wait }
        let now = SteadyClock.now
        while let conversation = queue.next(at: now) { ask(conversation) }
        if queue.isDone {
            phase = .over
            whenOver(PlanProbe(tasks: found.mapValues { sources in sources.sorted { $0.key < $1.key }.map(\.value) }))
        }
        let pause = queue.nextDue.map { max(.zero, $0 - now) }
        return [wait, pause].compactMap(\.self).min()
    }

    private func begin(_ task: Int, _ source: Int, _ download: Download) {
        var configuration = TransferMachine.Configuration(
            sources: download.sources, policy: RetryPolicy(plan.tasks[task].task.retry),
            resolve: URLResolution.resolve, statuses: download.expect.statuses)
        configuration.redirects.routes = plan.job.hosts.routes
        configuration.size = download.size
        configuration.maxSize = download.expect.maxSize
        configuration.mediaType = download.expect.mediaType
        let conversation = Conversation(
            task: task, source: source, download: download, machine: ProbeMachine(configuration, source: source))
        queue.add(conversation, for: download.sources[source].origin)
    }

    private func ask(_ conversation: Conversation) {
        guard case .asking(let way, let hop) = conversation.machine.state else { return }
        let source = conversation.download.sources[conversation.source]
        guard hop.url.origin.scheme != "file" else { return look(conversation, hop) }
        let goal = RequestGoal(source: conversation.source, end: way == .firstByte ? 1 : nil)
        let own = conversation.download.request
        // What the task says of who asks is for the origin of its first source.
        let task = conversation.download.sources.first ?? source
        let isShared = RedirectRules.sharesCredentials(task.owner, hop.url.origin)
        let layered = conversation.download.layers?.settings(for: hop.url.origin, source: source, isShared: isShared)
        let settings = layered ?? own
        let files = RequestFiles(settings, scheme: hop.url.origin.scheme, bodyFile: nil, environment: environment)
        if let fault = files.check() { return advance(conversation, .broke(fault)) }
        var request = WireRequest(
            hop: hop, source: source, task: task, goal: goal, settings: settings, isNarrowed: layered != nil,
            timeout: plan.tasks[conversation.task].task.timeout, defaultUserAgent: "runner/\(options.version)",
            cookies: own.network.cookies.map { .file($0) } ?? .none)
        request.isHeadOnly = way == .head
        do throws(Fault) {
            conversation.request = try HeadRequest(request, of: conversation.task, on: engine) {
                [weak self, weak conversation] event, version in
                guard let self, let conversation else { return }
                active[ObjectIdentifier(conversation)] = nil
                conversation.httpVersion = version ?? conversation.httpVersion
                advance(conversation, event)
            }
            active[ObjectIdentifier(conversation)] = conversation
        } catch {
            advance(conversation, .broke(error))
        }
    }

    /// A local file: its size, without opening it for good.
    private func look(_ conversation: Conversation, _ hop: RequestMachine.Hop) {
        do throws(StorageError) {
            let file = try CopySource(path: FileURL.path(of: hop.url))
            var head = ReplyHead(status: 200)
            if let size = file.size {
                head.contentLength = .bytes(size)
                head.acceptRanges = "bytes"
                head.etag = "\"\(size)-\(file.modified)\""
            }
            advance(conversation, .replied(head))
        } catch {
            advance(conversation, .broke(Fault(error.faultClass, .storage(error))))
        }
    }

    private func advance(_ conversation: Conversation, _ event: ProbeMachine.Event) {
        guard case .asking(_, let hop) = conversation.machine.state else { return }
        queue.finished(hop.url.origin)
        switch conversation.machine.handle(event) {
        case .ask(_, let next): queue.add(conversation, for: next.url.origin)
        case .end(let finding): end(conversation, finding)
        }
    }

    private func end(_ conversation: Conversation, _ finding: ProbeFinding) {
        let url = conversation.download.sources[conversation.source]
        let isHTTP = url.origin.isHTTP
        var probe = SourceProbe(
            url: words.redactor.url(url.url.text), size: finding.size, ranges: Self.word(finding.ranges),
            etag: isHTTP ? finding.head?.etag.map(words.redactor.text) : nil,
            lastModified: finding.head?.lastModified.map(words.redactor.text),
            hasStrongValidator: !finding.validator.isEmpty,
            httpVersion: conversation.httpVersion, requests: finding.requests)
        if isHTTP { probe.status = finding.head?.status }
        let last = finding.url ?? url
        if finding.redirects > 0 { probe.finalURL = words.redactor.url(last.url.text) }
        probe.failure = finding.fault.map { words.failure($0, url: last.url.text) }
        found[conversation.task, default: [:]][conversation.source] = probe
    }

    private static func word(_ ranges: RangeSupport) -> SourceProbe.Ranges {
        switch ranges {
        case .given: .yes
        case .refused: .no
        case .unknown: .unknown
        }
    }
}
