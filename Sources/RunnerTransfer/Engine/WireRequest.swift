package import RunnerJob
package import RunnerPlan

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
    package var userAgent: String
    /// Fields that may go to this origin.
    package var headers: [HeaderField]
    package var auth: RequestSettings.Auth?
    /// File of trusted certificates; nil for the machine's.
    package var certificateAuthorities: String?
    package var timeout: TimeoutSettings

    /// - Parameters:
    ///   - source: where the task asked first; credentials belong to its origin.
    ///   - hop: where this request goes.
    package init(
        hop: RequestMachine.Hop, source: SourceURL, goal: RequestGoal, settings: RequestSettings,
        timeout: TimeoutSettings, defaultUserAgent: String
    ) {
        let isTrusted = RedirectRules.sharesCredentials(source.origin, hop.url.origin)
        url = hop.url
        offset = goal.offset
        end = goal.end
        ifRange = goal.ifRange
        condition = goal.condition
        bypassesCaches = goal.bypassesCaches
        userAgent = settings.userAgent ?? defaultUserAgent
        headers = settings.headers.filter { isTrusted || !$0.isCredential }
        certificateAuthorities = settings.certificateAuthorities
        self.timeout = timeout
        if isTrusted, let auth = settings.auth {
            self.auth = auth
        } else if let own = hop.url.credentials ?? (isTrusted ? source.credentials : nil) {
            auth = .basic(user: own.user, password: own.password)
        }
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
        for field in headers {
            lines.removeAll { $0.lowercased().hasPrefix(field.name.lowercased() + ":") }
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return lines
    }
}
