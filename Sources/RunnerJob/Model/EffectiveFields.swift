/// The fields of a task as a job file would have to give them so that they say what they say now.
struct EffectiveFields {
    struct Field {
        var key: String
        /// Other keys that may have given it.
        var aliases: [String]
        var value: String
    }

    private(set) var fields: [Field] = []

    /// Every field that has a value.
    static func of(_ task: JobTask) -> [Field] {
        var fields = EffectiveFields()
        fields.addCommon(task)
        switch task.action {
        case .download(let download): fields.add(download)
        case .upload(let upload): fields.add(upload)
        case .extract(let extraction): fields.add(extraction)
        case .archive(let creation): fields.add(creation)
        case .run(let run): fields.add(run)
        case .check(let check): fields.add(check)
        }
        fields.addPolicies(task)
        return fields.fields
    }

    mutating func add(_ key: String, _ value: String?, or aliases: String...) {
        if let value { fields.append(Field(key: key, aliases: aliases, value: value)) }
    }

    func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }

    private mutating func addCommon(_ task: JobTask) {
        add("id", task.id.text)
        add("needs", list(task.needs.map(\.name.text)))
        add("optional", String(task.isOptional))
        add("priority", String(task.priority))
    }

    private mutating func addPolicies(_ task: JobTask) {
        let retry = task.retry, timeout = task.timeout
        let asksServer = task.kind.usesNetwork
        add("retry.attempts", String(retry.attempts))
        add("retry.backoff", retry.backoff.rawValue)
        add("retry.first", retry.first.words)
        add("retry.max", retry.max.words)
        add("retry.factor", retry.factor == retry.factor.rounded() ? String(Int(retry.factor)) : String(retry.factor))
        add("retry.jitter", retry.jitter.rawValue)
        if asksServer { add("retry.max_wait", retry.maxWait.words) }
        add("retry.deadline", retry.deadline?.words)
        add("retry.on", retry.on.flatMap { list($0.map(\.rawValue).sorted()) })
        if asksServer {
            add("timeout.connect", timeout.connect.words)
            add("timeout.stall", timeout.stall.words)
        }
        add("timeout.attempt", timeout.attempt?.words)
        add("timeout.total", timeout.total?.words)
    }

    // MARK: Downloads

    private mutating func add(_ download: Download) {
        add("download", download.sources.first?.url.text)
        add("rewritten_from", download.sources.first?.rewritten?.url.text, or: "download")
        add("mirrors", list(download.sources.dropFirst().map(\.url.text)))
        add("to", download.targetText)
        add("name", download.serverName == nil ? nil : NameSource.server.rawValue)
        add(download.digests)
        switch download.checksumList?.source {
        case .path(let path): addList(path.text, download.checksumList?.digests ?? [])
        case .url(let url): addList(url.url.text, download.checksumList?.digests ?? [])
        case nil: break
        }
        add("size", download.size.map(String.init))
        add(download.expect)
        add("exists", download.exists.rawValue)
        switch download.segments {
        case .single: add("segments", "1")
        case .auto: add("segments", "auto")
        case .fixed(let count): add("segments", String(count))
        }
        add("rate", download.rate.map { SizeText.exact($0) + "/s" })
        add("mode", download.mode.map { "0" + String($0, radix: 8) })
        add("mtime", download.modificationTime.rawValue)
        add("backup", download.backup.rawValue)
        add("method", download.request.method)
        add(download.request.value)
    }

    mutating func add(_ digests: [Digest]) {
        for digest in digests { add(digest.algorithm.rawValue, digest.hex, or: "digest") }
    }

    /// A checksum list, and what it must hash to itself.
    mutating func addList(_ name: String, _ pins: [Digest]) {
        add("digest", list([name] + pins.map(\.description)))
    }

    mutating func add(_ expect: Expectations) {
        add(statuses: expect.statuses)
        add("expect.min_size", expect.minSize.map(SizeText.exact))
        add("expect.max_size", expect.maxSize.map(SizeText.exact))
        add("expect.type", expect.type?.rawValue)
        add("expect.content_type", expect.mediaType)
        add("expect.etag", expect.etagIsMD5 ? "md5" : nil)
    }

    mutating func add(statuses: Set<Int>) {
        add("expect.status", list(statuses.sorted().map(String.init)))
    }

    mutating func add(_ request: RequestFields) {
        switch request.body {
        case .text(let text, let hasSecret): add("body", hasSecret ? Self.hidden : text)
        case .file(let path, _): add("body", path.text)
        case nil: break
        }
        add(request.headers, below: "headers")
        add("user_agent", request.userAgent)
        switch request.auth {
        case .basic(let user, _): add("auth", "basic, user \(user)")
        case .digest(let user, _): add("auth", "digest, user \(user)")
        case .bearer: add("auth", "bearer")
        case .signature(let key): add("auth", "aws_sigv4, \(key.service) in \(key.region)")
        case .netrc(let netrc): add("auth", "netrc" + (netrc.file.map { ", " + $0 } ?? ""))
        case nil: break
        }
        add(request.network.value)
    }

    mutating func add(_ fields: [HeaderField], below key: String) {
        for field in fields { add("\(key).\(field.name)", field.isCredential ? Self.hidden : field.value) }
    }

    /// What stands for a secret.
    static let hidden = "***"

    private mutating func add(_ network: NetworkFields) {
        switch network.proxy {
        case .environment: add("proxy", "the environment's")
        case .none: add("proxy", "none")
        case .server(let server): add("proxy", server.url)
        }
        add("tls.ca", network.tls.authorities)
        add("tls.pin", list(network.tls.pins))
        add("tls.cert", network.tls.certificate)
        add("tls.key", network.tls.key)
        add("ssh.known_hosts", network.ssh.knownHosts)
        add("ssh.pin", network.ssh.pin)
        add("ssh.key", network.ssh.key)
        add("cookies", network.cookies)
        add("save_cookies", network.savedCookies)
        add("ip", network.addressFamily.rawValue)
        add("http_version", network.httpVersion?.rawValue)
        add("interface", network.interface)
        add("unix_socket", network.unixSocket)
        add("redirects.max", String(network.redirects.max))
        add("redirects.downgrade", String(network.redirects.downgrade))
        add("min_rate", network.minimumRate.map { SizeText.exact($0) + "/s" })
    }
}
