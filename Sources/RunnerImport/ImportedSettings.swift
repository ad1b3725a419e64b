internal import RunnerJob

/// How files are asked for, in the terms that download programs share.
struct ImportedSettings {
    /// A value, and where the list gives it.
    struct Given<Value> {
        var value: Value
        var place: Place
    }

    struct Login {
        var user: String?
        var password: String?
        var place: Place
    }

    var headers: [Given<(name: String, value: String)>] = []
    /// Names of fields that are not sent.
    var removedHeaders: [Given<String>] = []
    var userAgent: String?
    var login: Login?
    var ftpLogin: Login?
    var bearer: Given<String>?
    var usesDigest = false
    var netrc: Netrc?
    var cookies: String?
    var saveCookies: String?
    var method: String?
    var body: Given<String>?
    var proxy: Given<String>?
    /// By the schemes of URLs, before ``proxy``.
    var proxies: [String: Given<String>] = [:]
    /// Keys of `tls`, and their values.
    var tls: [String: Given<String>] = [:]
    var ip: String?
    var httpVersion: String?
    var interface: String?
    var unixSocket: String?
    var redirects: Int?
    /// Bytes a second.
    var minRate: Int64?
    var rate: Int64?
    var segments: Int?
    var attempts: Int?
    /// Milliseconds.
    var retryWait: Int64?
    var retryDeadline: Int64?
    var connect: Int64?
    var stall: Int64?
    var attempt: Int64?
    var maxSize: Int64?
    var takesServerTime = false
    var takesServerName = false

    enum Netrc {
        /// The file of the person who runs the job.
        case usual
        case file(String)
    }

    /// The fields of a task, in the order in which the reference of the job file has them.
    ///
    /// - Parameter url: what is asked first; a field that its scheme cannot have is left out.
    func fields(for url: SourceURL, _ findings: inout ImportFindings) -> [ImportedField] {
        var fields: [ImportedField] = []
        func add(_ key: String, _ text: String?) {
            if let text { fields.append(ImportedField(key, .text(text))) }
        }
        func addMap(_ key: String, _ entries: [(String, String?)]) {
            let fieldsInside = entries.compactMap { name, text in text.map { ImportedField(name, .text($0)) } }
            if !fieldsInside.isEmpty { fields.append(ImportedField(key, .map(fieldsInside))) }
        }
        let isHTTP = url.origin.isHTTP
        add("name", takesServerName && isHTTP ? "server" : nil)
        addMap("expect", [("max_size", maxSize.map(SizeText.exact))])
        if isHTTP {
            let fieldsOfHead = headerFields(url, &findings)
            if !fieldsOfHead.isEmpty { fields.append(ImportedField("headers", .map(fieldsOfHead))) }
            add("user_agent", userAgent)
            add("method", method == "GET" ? nil : method)
            if let body { fields.append(ImportedField("body", Self.bodyValue(body, url, &findings))) }
            add("cookies", cookies)
            add("save_cookies", saveCookies)
        }
        if let auth = auth(url, &findings) { fields.append(ImportedField("auth", .map([auth]))) }
        if let tls = tlsField(url, &findings) { fields.append(tls) }
        if let proxy = proxies[url.origin.scheme] ?? proxy {
            fields.append(ImportedField("proxy", proxyValue(proxy, &findings)))
        }
        add("ip", ip)
        add("http_version", httpVersion)
        add("interface", interface)
        add("unix_socket", unixSocket)
        addMap("redirects", [("max", redirects.map { String($0) })])
        add("rate", rate.map { SizeText.exact($0) + "/s" })
        add("min_rate", minRate.map { SizeText.exact($0) + "/s" })
        add("segments", segments.map { String($0) })
        add("mtime", takesServerTime ? "server" : nil)
        addMap("retry", retry)
        addMap(
            "timeout",
            [
                ("connect", connect.map(Self.duration)), ("stall", stall.map(Self.duration)),
                ("attempt", attempt.map(Self.duration)),
            ])
        return fields
    }

    /// A wait that is always the same, as these programs have it.
    private var retry: [(String, String?)] {
        let wait = retryWait.flatMap { $0 > 0 ? Self.duration($0) : nil }
        return [
            ("attempts", attempts.map { String($0) }), ("backoff", wait.map { _ in "constant" }), ("first", wait),
            ("max", wait), ("jitter", wait.map { _ in "none" }), ("deadline", retryDeadline.map(Self.duration)),
        ]
    }

    /// Whether a field of that name is given.
    func hasHeader(_ name: String) -> Bool {
        headers.contains { $0.value.name.lowercased() == name.lowercased() }
            || removedHeaders.contains { $0.value.lowercased() == name.lowercased() }
    }

    /// Fields of one name are one (RFC 9110 section 5.3), as a map has each key once.
    private var joinedHeaders: [Given<(name: String, value: String)>] {
        var joined: [Given<(name: String, value: String)>] = []
        var indices: [String: Int] = [:]
        for given in headers where !Self.isBearer(given.value) {
            let name = given.value.name.lowercased()
            if let index = indices[name] {
                // Those that are no list of values have one.
                let isOne = ["content-type", "referer", "host", "origin", "authorization"].contains(name)
                let earlier = isOne ? "" : joined[index].value.value + (name == "cookie" ? "; " : ", ")
                joined[index].value.value = earlier + given.value.value
            } else {
                indices[name] = joined.count
                joined.append(given)
            }
        }
        return joined
    }

    /// A field that says who asks has its value taken out.
    private func headerFields(_ url: SourceURL, _ findings: inout ImportFindings) -> [ImportedField] {
        var fields: [ImportedField] = []
        for given in joinedHeaders {
            let (name, value) = given.value
            let isSecret = Self.holdsSecret(name)
            if isSecret {
                for part in headers where part.value.name.lowercased() == name.lowercased() {
                    findings.hide(part.value.value)
                }
            }
            fields.append(
                ImportedField(
                    name,
                    isSecret
                        ? findings.secret(value, name.lowercased(), host: url.origin.host, at: given.place)
                        : .text(value)))
        }
        return fields
    }

    private static func isBearer(_ header: (name: String, value: String)) -> Bool {
        header.name.lowercased() == "authorization" && header.value.lowercased().hasPrefix("bearer ")
    }

    /// Names of fields in which tokens are sent, beside those that the standard has for it.
    static func holdsSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return HeaderText.isCredential(name) || name.hasSuffix("-key") && name != "idempotency-key"
            || ["token", "secret", "password", "api-key", "apikey", "auth"].contains { name.contains($0) }
    }

    /// A body with a field whose name speaks of a secret becomes one as a whole.
    private static func bodyValue(
        _ body: Given<String>, _ url: SourceURL, _ findings: inout ImportFindings
    ) -> ImportedValue {
        let text = body.value.lowercased()
        let words = ["passw", "pwd", "token", "secret", "apikey", "api_key", "api-key"]
        let isSecret = words.contains { text.contains($0) }
        return isSecret
            ? findings.secret(body.value, "body", host: url.origin.host, at: body.place) : .text(body.value)
    }

    private func auth(_ url: SourceURL, _ findings: inout ImportFindings) -> ImportedField? {
        let host = url.origin.host
        if url.origin.isHTTP {
            let header = headers.last { Self.isBearer($0.value) }.map { given in
                Given(value: String(given.value.value.dropFirst(7)).trimmingBlanks(), place: given.place)
            }
            if let bearer = bearer ?? header {
                return ImportedField("bearer", findings.secret(bearer.value, "token", host: host, at: bearer.place))
            }
            // A field that is given outdoes a login, as it does in curl.
            if headers.contains(where: { $0.value.name.lowercased() == "authorization" }) { return nil }
        }
        if let written = url.credentials {
            let login = Login(user: written.user, password: written.password, place: url.place)
            return Self.login("basic", login, host, &findings)
        }
        if let login = url.origin.isHTTP ? login : ftpLogin ?? login {
            return Self.login(usesDigest && url.origin.isHTTP ? "digest" : "basic", login, host, &findings)
        }
        return switch netrc {
        case .usual: ImportedField("netrc", .text("true"))
        case .file(let path): ImportedField("netrc", .text(path))
        case nil: nil
        }
    }

    private static func login(
        _ kind: String, _ login: Login, _ host: String, _ findings: inout ImportFindings
    ) -> ImportedField {
        let password = findings.secret(login.password ?? "", "password", host: host, at: login.place)
        return ImportedField(
            kind, .map([ImportedField("user", .text(login.user ?? "")), ImportedField("password", password)]))
    }

    private func tlsField(_ url: SourceURL, _ findings: inout ImportFindings) -> ImportedField? {
        guard url.origin.scheme == "https" else { return nil }
        let fields = ["ca", "pin", "cert", "key", "passphrase"].compactMap { key in
            tls[key].map { given in
                ImportedField(
                    key,
                    key == "passphrase"
                        ? findings.secret(given.value, key, host: url.origin.host, at: given.place) : .text(given.value)
                )
            }
        }
        return fields.isEmpty ? nil : ImportedField("tls", .map(fields))
    }

    /// A proxy with a password in it becomes a secret as a whole.
    private func proxyValue(_ given: Given<String>, _ findings: inout ImportFindings) -> ImportedValue {
        given.value.contains("@")
            ? findings.secret(given.value, "proxy", host: "", at: given.place) : .text(given.value)
    }

    private static func duration(_ milliseconds: Int64) -> String {
        milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
