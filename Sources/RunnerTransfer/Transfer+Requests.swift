import LibCurl
import RunnerJob
import RunnerStorage

extension Transfer {
    /// Starts the request of an attempt, or a hop of it.
    func send(_ attempt: TransferMachine.Attempt, _ hop: RequestMachine.Hop) {
        let source = machine.sources[attempt.goal.source].url
        record.lastOrigin = hop.url.origin
        if hop.redirects == 0 {
            main.beginAttempt()
            record.begin(attempt, url: source.url.text)
            host.transfer(
                self,
                reports: .attemptStarted(
                    number: attempt.number, url: source.url.text, resumedFrom: attempt.goal.offset))
        }
        if source.origin.scheme == "file" {
            writer.inspect(FileURL.path(of: hop.url))
            return
        }
        if setup.asksName { record.finalName = hop.url.fileName }
        let request = wireRequest(attempt.goal, hop, on: main)
        do throws(Fault) {
            try checkBody(of: request, hop)
            main.exchange = try engine.start(request, of: task, owner: self)
        } catch {
            handle(.request(.broke(error)))
        }
    }

    func wireRequest(_ goal: RequestGoal, _ hop: RequestMachine.Hop, on stream: ByteStream) -> WireRequest {
        let (task, source) = (machine.sources[0].url, machine.sources[goal.source].url)
        let isShared = RedirectRules.sharesCredentials(task.owner, hop.url.origin)
        let settings = setup.layers?.settings(for: hop.url.origin, source: source, isShared: isShared)
        var request = WireRequest(
            hop: hop, source: source, task: task, goal: goal, settings: settings.map(adapted) ?? setup.request,
            isNarrowed: settings != nil,
            timeout: setup.timeout, defaultUserAgent: setup.userAgent, bodyFile: setup.bodyFile, cookies: cookies)
        request.attemptSpent = stream.attemptSpent
        request.statuses = setup.machine.statuses
        if let payload = setup.payload { request.send(payload) }
        if isRenameRefused, case .staged(let name) = request.naming { request.naming = .direct(leftover: name) }
        return request
    }

    /// What `hosts` and `defaults` say of method and body is not for what an upload sends.
    private func adapted(_ settings: RequestSettings) -> RequestSettings {
        guard let payload = setup.payload else { return settings }
        return settings.changing { fields in
            fields.method = payload.method
            fields.body = nil
        }
    }

    /// A secret in a body is bound to its origin like one in a header, but a body cannot be left out.
    private func checkBody(of request: WireRequest, _ hop: RequestMachine.Hop) throws(Fault) {
        guard request.body != .none, !request.isShared else { return }
        var hasSecret = setup.payload?.hasSecret ?? false
        if case .text(_, hasSecret: true) = setup.request.body { hasSecret = true }
        guard hasSecret else { return }
        throw Fault(.redirect, .redirectRefused(to: hop.url.url.text, why: .secretBody))
    }

    /// What the file is called by the server, else by where redirects led, else by the URL; nil where nobody asks.
    var fileName: String? {
        guard setup.asksName else { return nil }
        return record.givenName ?? record.finalName ?? setup.machine.sources.lazy.compactMap(\.fileName).first
    }

    /// The cookies that the job wants kept, as the text of a jar.
    var savedCookies: PartWriter.SideFile? {
        guard let path = setup.request.network.savedCookies else { return nil }
        var lines: [String] = []
        if case .lines(let known) = cookies { lines = known }
        return PartWriter.SideFile(path: path, bytes: Array(CookieText.jar(lines).utf8))
    }

    func reportFailure(
        _ attempt: TransferMachine.Attempt, _ fault: Fault, _ retryIn: Duration?, _ nextSource: Int?
    ) {
        host.transfer(
            self,
            reports: .attemptFailed(
                number: attempt.number, url: machine.sources[attempt.goal.source].url.url.text,
                resumedFrom: attempt.goal.offset, fault: fault,
                received: record.transferred - record.transferredBefore, retryIn: retryIn,
                nextURL: nextSource.map { machine.sources[$0].url.url.text }))
    }

    func result(_ ending: TransferMachine.Ending) -> TransferResult {
        TransferResult(
            ending: ending, published: record.published, transferred: record.transferred, sent: record.sent,
            resumedFrom: record.resumedFrom, attempts: machine.requests, url: record.url, finalURL: record.finalURL,
            head: record.head, httpVersion: record.httpVersion, phases: record.phases,
            sourceFaults: machine.sources.compactMap { source in
                source.lastFault.map { (source.url.url.text, $0) }
            })
    }

    // MARK: - file: URLs

    /// The local file that the present attempt copies; nil when it asks a server.
    var exchangePath: String? {
        guard case .transferring(let attempt, _) = machine.state else { return nil }
        let url = machine.sources[attempt.goal.source].url
        return url.origin.scheme == "file" ? FileURL.path(of: url) : nil
    }

    /// The local file was found: it answers as a server would.
    func takeSource(_ found: PartWriter.Source) {
        guard case .transferring(let attempt, _) = machine.state else { return }
        var head = ReplyHead(status: 200)
        head.lastModifiedTime = found.modified / 1_000_000_000
        if let size = found.size {
            let start = min(attempt.goal.offset, size)
            head.contentLength = .bytes(size - start)
            // Size and time to the nanosecond are as good as a strong entity tag for a local file.
            head.etag = "\"\(size)-\(found.modified)\""
            if attempt.goal.offset > 0 {
                let isWhole = attempt.goal.offset >= size
                head.status = isWhole ? 416 : 206
                head.contentRange = isWhole ? "bytes */\(size)" : "bytes \(start)-\(size - 1)/\(size)"
            }
        }
        handle(.request(.headReceived(head)))
    }
}

/// What a transfer has seen; goes into its result.
struct TransferRecord {
    var published: PartWriter.Published?
    var transferred: Int64 = 0
    /// Bytes of bodies that were sent.
    var sent: Int64 = 0
    /// ``transferred`` when the present attempt began.
    var transferredBefore: Int64 = 0
    var resumedFrom: Int64?
    var url = ""
    var finalURL = ""
    /// What the server called the file when its first byte came; the reply to a request for the rest need not say it.
    var givenName: String?
    /// What the URL that was asked last would name the file.
    var finalName: String?
    /// Who was asked last: a Retry-After holds for it, wherever redirects led.
    var lastOrigin: Origin?
    var head: SharedHead?
    var httpVersion: String?
    var phases = Phases()

    mutating func begin(_ attempt: TransferMachine.Attempt, url: String) {
        self.url = url
        finalURL = url
        head = nil
        transferredBefore = transferred
        if attempt.goal.offset > 0, resumedFrom == nil { resumedFrom = attempt.goal.offset }
    }

    /// Notes where the time of an exchange went.
    mutating func note(_ exchange: Exchange) {
        let times = exchange.times
        sent += exchange.sent
        func phase(_ end: Int64, after start: Int64) -> Duration? {
            end > start ? .microseconds(end - start) : nil
        }
        httpVersion = exchange.httpVersion
        phases.dns = phase(times.nameLookup, after: 0)
        phases.connect = phase(times.connect, after: times.nameLookup)
        phases.tls = phase(times.appConnect, after: times.connect)
        phases.firstByte = phase(times.firstByte, after: max(times.connect, times.appConnect))
        phases.transfer = phase(times.total, after: times.firstByte)
    }
}
