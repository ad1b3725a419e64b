package import RunnerJob

/// Where a redirect may lead, and what may be taken along (RFC 9110 section 15.4); pure.
package struct RedirectRules: Hashable, Sendable {
    /// Resolves a reference against the URL that it came from; nil when the result is no URL.
    package typealias Resolver = (_ base: SourceURL, _ reference: String) -> SourceURL?

    /// Redirects that are followed before the request fails.
    package var limit: Int
    /// Whether https may lead to http.
    package var allowsDowngrade: Bool
    /// What the job says of where requests go.
    package var routes: HostRoutes

    package init(limit: Int = 20, allowsDowngrade: Bool = false, routes: HostRoutes = HostRoutes()) {
        self.limit = limit
        self.routes = routes
        self.allowsDowngrade = allowsDowngrade
    }

    func follow(
        _ location: String, status: Int, from hop: RequestMachine.Hop, resolve: Resolver
    ) -> Result<RequestMachine.Hop, Fault> {
        guard hop.redirects < limit else { return .failure(Fault(.redirect, .tooManyRedirects(limit))) }
        if let scheme = Self.scheme(of: location), scheme != "http", scheme != "https" {
            return .failure(Fault(.redirect, .redirectRefused(to: location, why: .scheme(scheme))))
        }
        guard let target = resolve(hop.url, location).map(routes.rewritten) else {
            return .failure(Fault(.redirect, .redirectRefused(to: location, why: .unreadable)))
        }
        guard ["http", "https"].contains(target.origin.scheme) else {
            return .failure(Fault(.redirect, .redirectRefused(to: location, why: .scheme(target.origin.scheme))))
        }
        if hop.url.origin.scheme == "https", target.origin.scheme == "http", !allowsDowngrade {
            return .failure(Fault(.redirect, .redirectRefused(to: location, why: .downgrade)))
        }
        if let barrier = routes.barrier(for: target.origin) {
            return .failure(Fault(.redirect, .redirectRefused(to: target.url.text, why: .forbidden(barrier))))
        }
        return .success(
            RequestMachine.Hop(url: target, redirects: hop.redirects + 1, form: hop.form.after(status)))
    }

    /// Whether credentials meant for one origin may go to another: only to itself, or from http on port 80 to https
    /// on port 443 of the same host.
    package static func sharesCredentials(_ origin: Origin, _ other: Origin) -> Bool {
        origin.sharesCredentials(with: other)
    }

    /// The scheme that a reference begins with, in lower case; nil for a relative one (RFC 3986 section 3.1).
    private static func scheme(of reference: String) -> String? {
        guard let colon = reference.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = reference[..<colon]
        guard let first = name.utf8.first, isLetter(first), name.utf8.allSatisfy(isSchemeByte) else { return nil }
        return name.lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & 0xDF)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
    }
}
