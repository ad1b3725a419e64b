/// Reads the fields that a task shares with `defaults`; each is read over the value that holds without it.
struct SettingsReader {
    let fields: Fields
    /// Root of relative paths that tasks read and write.
    let directory: PathRoot
    /// Root of relative paths that configure.
    let folder: String

    /// A reader for fields whose paths start elsewhere.
    func inside(_ directory: PathRoot) -> SettingsReader {
        SettingsReader(fields: fields, directory: directory, folder: folder)
    }

    /// Reads one field; false when the key is none of the shared ones.
    func read(_ key: TaskKey, _ node: Node, into settings: inout TaskSettings) -> Bool {
        let name = key.rawValue
        settings.trail?.note(key, node)
        switch key {
        case .optional: settings.isOptional = fields.boolean(node, name) ?? settings.isOptional
        case .priority:
            settings.priority = fields.integer(node, name, in: -1_000_000...1_000_000) ?? settings.priority
        case .retry: readRetry(node, into: &settings.retry)
        case .timeout: readTimeout(node, into: &settings.timeout)
        case .expect: readExpectations(node, into: &settings.expect)
        case .exists: settings.exists = fields.choice(node, name) ?? settings.exists
        case .rate: settings.rate = fields.rate(node, name) ?? settings.rate
        case .segments: settings.segments = segments(node) ?? settings.segments
        case .mode: settings.mode = fields.mode(node, name) ?? settings.mode
        case .mtime: settings.modificationTime = fields.choice(node, name) ?? settings.modificationTime
        case .backup: settings.backup = fields.choice(node, name) ?? settings.backup
        case .headers, .userAgent, .method, .body, .auth:
            settings.overlay.note(key, node)
            readRequest(key, node, into: &settings.request)
        case .cookies, .saveCookies, .tls, .ssh, .proxy, .minRate, .redirects, .ip, .httpVersion, .interface,
            .unixSocket:
            settings.overlay.note(key, node)
            readNetwork(key, node, into: &settings.request)
        default: return false
        }
        return true
    }

    /// `auto`, or a number of connections.
    private func segments(_ node: Node) -> Download.Segments? {
        guard let text = fields.line(node, "segments") else { return nil }
        if text == "auto" { return .auto }
        let isNumber = text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        guard isNumber, let count = Int(text), (1...64).contains(count) else {
            fields.faults.error(
                "`segments` wants `auto` or a number of connections from 1 to 64, not \(fields.written(node))",
                at: node.place)
            return nil
        }
        return count == 1 ? .single : .fixed(count)
    }

    // MARK: Policies

    private enum RetryKey: String, CaseIterable {
        case attempts, backoff, first, max, factor, jitter
        case maxWait = "max_wait"
        case deadline, on
    }

    private func readRetry(_ node: Node, into retry: inout RetrySettings) {
        guard let entries = fields.mapping(node, "retry", example: "{attempts: 5}") else { return }
        fields.each(entries, of: "`retry`", as: RetryKey.self) { key, entry in
            let name = key.rawValue, value = entry.value
            switch key {
            case .attempts: retry.attempts = fields.integer(value, name, in: 1...1_000_000) ?? retry.attempts
            case .backoff: retry.backoff = fields.choice(value, name) ?? retry.backoff
            case .first: retry.first = fields.duration(value, name, zeroIsAllowed: true) ?? retry.first
            case .max: retry.max = fields.duration(value, name, zeroIsAllowed: true) ?? retry.max
            case .factor: retry.factor = fields.decimal(value, name, in: 1...1000) ?? retry.factor
            case .jitter: retry.jitter = fields.choice(value, name) ?? retry.jitter
            case .maxWait: retry.maxWait = fields.duration(value, name, zeroIsAllowed: true) ?? retry.maxWait
            case .deadline: retry.deadline = fields.duration(value, name) ?? retry.deadline
            case .on:
                let classes = fields.list(value, name).map { fields.choice($0, name, of: FaultClass.self) }
                retry.on = Set(classes.compactMap { $0 })
            }
        }
    }

    private enum TimeoutKey: String, CaseIterable { case connect, stall, attempt, total }

    private func readTimeout(_ node: Node, into timeout: inout TimeoutSettings) {
        guard let entries = fields.mapping(node, "timeout", example: "{total: 2h}") else { return }
        fields.each(entries, of: "`timeout`", as: TimeoutKey.self) { key, entry in
            guard let limit = fields.duration(entry.value, key.rawValue) else { return }
            switch key {
            case .connect: timeout.connect = limit
            case .stall: timeout.stall = limit
            case .attempt: timeout.attempt = limit
            case .total: timeout.total = limit
            }
        }
    }

    // MARK: Expectations

    private enum ExpectKey: String, CaseIterable {
        case status
        case minSize = "min_size"
        case maxSize = "max_size"
        case type
        case contentType = "content_type"
        case etag
    }

    /// What an entity tag may be.
    private enum EntityTag: String, CaseIterable { case md5 }

    /// - Parameter isOfServer: whether there is a server's answer that something can be expected of.
    func readExpectations(_ node: Node, into expect: inout Expectations, isOfServer: Bool = true) {
        guard let entries = fields.mapping(node, "expect", example: "{type: zip}") else { return }
        fields.each(entries, of: "`expect`", as: ExpectKey.self) { key, entry in
            let name = key.rawValue, value = entry.value
            if !isOfServer, [.status, .contentType, .etag].contains(key) {
                fields.faults.error(
                    "`\(name)` is about a server's answer; of a file that is there, expect `min_size`, `max_size` or `type`",
                    at: entry.keyPlace)
                return
            }
            switch key {
            case .status:
                let statuses = fields.checks(value, name).compactMap { fields.integer($0, name, in: 100...599) }
                expect.statuses = Set(statuses)
            case .minSize: expect.minSize = fields.size(value, name) ?? expect.minSize
            case .maxSize: expect.maxSize = fields.size(value, name) ?? expect.maxSize
            case .type: expect.type = fields.choice(value, name) ?? expect.type
            case .contentType: expect.mediaType = mediaType(value, name) ?? expect.mediaType
            case .etag:
                if fields.choice(value, name, of: EntityTag.self) == .md5 { expect.etagIsMD5 = true }
            }
        }
        if let least = expect.minSize, let most = expect.maxSize, least > most {
            fields.faults.error("`min_size` is larger than `max_size`", at: node.place)
        }
    }

    /// A media type that may have parameters, such as `text/csv; charset=utf-8`, as a request states it.
    func mediaTypeOfPart(_ node: Node, _ key: String) -> String? {
        guard let text = fields.line(node, key) else { return nil }
        let isType = HeaderText.isMediaType(text)
        if !isType {
            fields.faults.error(
                "`\(key)` wants a media type, such as application/zip or text/csv; charset=utf-8, not"
                    + " \(fields.written(node))", at: node.place)
        }
        return isType ? text : nil
    }

    /// A media type without parameters (RFC 9110, 8.3.1).
    func mediaType(_ node: Node, _ key: String) -> String? {
        guard let text = fields.line(node, key) else { return nil }
        let parts = text.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ HeaderText.isToken($0) }) else {
            fields.faults.error(
                "`\(key)` wants a media type, such as application/zip, not \(fields.written(node))", at: node.place)
            return nil
        }
        return parts.joined(separator: "/")
    }
}
