package import RunnerJob
package import RunnerPlan
internal import RunnerStorage

/// One request as it goes on the wire: the settings of its task, narrowed to what this hop's origin may see.
package struct WireRequest: Sendable {
    package var url: SourceURL
    /// First byte asked for; 0 for no Range.
    package var offset: Int64
    /// First byte that is not wanted; nil for all the rest.
    package var end: Int64?
    /// Value of `If-Range`.
    package var ifRange: String?
    package var condition: RevalidationValidators?
    package var bypassesCaches: Bool
    /// Whether no connection that is there is used.
    package var opensConnection: Bool
    package var method: String
    package var body: Body
    /// Whether the body is what the request is made for, so that there is no success without it.
    package var isUpload = false
    /// SHA-256 of the body in hexadecimal digits, where it is known.
    package var bodyDigest: String?
    /// By what name an FTP or SFTP server gets the file; nil for its own from the beginning.
    package var naming: UploadNaming?
    /// Bytes a second that the body is sent with at the most; nil for no limit.
    package var sendRate: Int64?
    /// Statuses that the job expects; empty for those that are a success anyway.
    package var statuses: Set<Int> = []
    /// Whether only the head of the reply is asked for (HEAD).
    package var isHeadOnly = false
    package var userAgent: String
    /// Fields that may go to this origin.
    package var headers: [HeaderField]
    package var auth: RequestFields.Auth?
    package var network: NetworkSettings
    /// Whether this is the origin of the task's own URL, or the same host grown safe.
    package var isShared: Bool
    /// Whether the credentials, pins and socket of the settings are for this origin.
    package var isTrusted: Bool
    package var cookies: CookieJar
    package var timeout: TimeoutSettings
    /// Time that the attempt has taken before this hop of it; waits for leave do not count.
    package var attemptSpent = Duration.zero

    /// What is sent with the request.
    package enum Body: Hashable, Sendable {
        case none
        case text(String)
        /// Absolute path of a file.
        case file(String)
        case form(FormBody)

        /// The file that is sent, or the first one of a form.
        var file: String? {
            switch self {
            case .none, .text: return nil
            case .file(let path): return path
            case .form(let form):
                return form.fields.lazy.compactMap { field in
                    if case .file(let path) = field.content { return path }
                    return nil
                }.first
            }
        }
    }

    /// - Parameters:
    ///   - source: where this attempt asked first; what stands in its URL belongs to its origin.
    ///   - task: first source of the task, whose origin the task's credentials belong to; nil for `source`.
    ///   - hop: where this request goes.
    ///   - isNarrowed: whether the settings hold nothing that the hop's origin may not see.
    package init(
        hop: RequestMachine.Hop, source: SourceURL, task: SourceURL? = nil, goal: RequestGoal,
        settings: RequestSettings, isNarrowed: Bool = false, timeout: TimeoutSettings, defaultUserAgent: String,
        bodyFile: String? = nil, cookies: CookieJar = .none
    ) {
        isShared = RedirectRules.sharesCredentials((task ?? source).owner, hop.url.origin)
        isTrusted = isShared || isNarrowed
        url = hop.url
        offset = goal.offset
        end = goal.end
        ifRange = goal.ifRange
        condition = goal.condition
        bypassesCaches = goal.bypassesCaches
        opensConnection = goal.opensConnection
        method = hop.form.method(settings.method)
        userAgent = settings.userAgent ?? defaultUserAgent
        headers = []
        network = settings.network
        self.cookies = cookies
        self.timeout = timeout
        body = .none
        if method == settings.method {
            switch settings.body {
            case .text(let text, _): body = .text(text)
            case .file: body = bodyFile.map { .file($0) } ?? .none
            case nil: break
            }
        }
        headers = fields(of: settings)
        auth = auth(settings, source)
    }

    /// Without its body, a request says nothing of one either (RFC 9110 section 15.4).
    private func fields(of settings: RequestSettings) -> [HeaderField] {
        let hasLostBody = settings.body != nil && body == .none
        return settings.headers.filter { field in
            (isTrusted || !field.isBound)
                && !(hasLostBody && field.name.lowercased().hasPrefix("content-"))
        }
    }

    private func auth(_ settings: RequestSettings, _ source: SourceURL) -> RequestFields.Auth? {
        if isTrusted, let auth = settings.auth {
            // A URL with a password of its own has no need of the file.
            guard case .netrc = auth, let own = source.credentials, !own.password.isEmpty else { return auth }
        }
        let isSource = RedirectRules.sharesCredentials(source.origin, url.origin)
        guard let own = url.credentials ?? (isSource ? source.credentials : nil) else { return nil }
        return .basic(user: own.user, password: own.password)
    }

    private var signingKey: RequestFields.SigningKey? {
        if case .signature(let key) = auth { key } else { nil }
    }

    /// The URL as it goes to libcurl.
    var wireURL: String { signingKey == nil ? url.url.text : SignedURL.normalized(url.url.text) }

    /// What is signed beside the head: the body's digest, and the token of credentials that are lent.
    ///
    /// libcurl 7.88 has the digest only of bodies that it holds in memory.
    private var signingLines: [String] {
        guard let key = signingKey else { return [] }
        let digest =
            switch body {
            // The digest of no bytes at all.
            case .none: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            case .text(let text): bodyDigest ?? Self.digest(of: text) ?? "UNSIGNED-PAYLOAD"
            default: bodyDigest ?? "UNSIGNED-PAYLOAD"
            }
        return ["x-amz-content-sha256: \(digest)"] + (key.sessionToken.map { ["x-amz-security-token: \($0)"] } ?? [])
    }

    /// The SHA-256 of a text; nil where libcrypto refuses.
    private static func digest(of text: String) -> String? {
        guard let digests = try? DigestSet([.sha256]) else { return nil }
        var text = text
        guard (try? text.withUTF8 { try digests.update(UnsafeRawBufferPointer($0)) }) != nil else { return nil }
        return (try? digests.finalize())?[.sha256]?.hex
    }

    /// Whole header lines, in libcurl's form.
    var headerLines: [String] {
        var lines = ["Accept-Encoding: identity"]
        if let ifRange { lines.append("If-Range: \(ifRange)") }
        // RFC 9110 section 13.1.3: a recipient that knows If-None-Match passes over the date.
        if let etag = condition?.etag { lines.append("If-None-Match: \(etag)") }
        if let date = condition?.lastModified { lines.append("If-Modified-Since: \(date)") }
        // RFC 9111 section 5.2.1.4; Pragma is for caches of HTTP/1.0.
        if bypassesCaches { lines += ["Cache-Control: no-cache", "Pragma: no-cache"] }
        if case .bearer(let token) = auth { lines.append("Authorization: Bearer \(token)") }
        // libcurl would call any body a form; one that is a form gets its type with the boundary from libcurl.
        switch body {
        // Every line is signed as it stands, and one without a value is not sent.
        case .text where signingKey != nil: break
        case .text, .file: lines.append("Content-Type:")
        case .none, .form: break
        }
        lines += signingLines
        for field in headers {
            lines.removeAll { $0.lowercased().hasPrefix(field.name.lowercased() + ":") }
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return lines
    }
}

/// The cookies of one transfer; no other transfer sees them.
package enum CookieJar: Hashable, Sendable {
    /// Cookies are neither sent nor kept.
    case none
    /// Absolute path of a Netscape jar; nil for an empty one.
    case file(String?)
    /// What an earlier request left: lines of a Netscape jar.
    case lines([String])
}
