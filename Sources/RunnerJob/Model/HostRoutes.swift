/// Where a job's requests go and where they may not: `rewrite`, `allow` and `block` of `hosts`.
public struct HostRoutes: Hashable, Sendable {
    struct Section: Hashable, Sendable {
        var pattern: HostPattern
        var access: HostAccess?
        var rewrites: [HostRewrite]
    }

    /// Those that say something, from the least to the most specific.
    let sections: [Section]

    public init() {
        sections = []
    }

    init(_ sections: [HostSection]) {
        self.sections = sections.filter { $0.access != nil || !$0.rewrites.isEmpty }
            .map { Section(pattern: $0.pattern, access: $0.access, rewrites: $0.rewrites) }
    }

    public var isEmpty: Bool { sections.isEmpty }

    /// The section that forbids requests to an origin; nil where they are allowed.
    public func barrier(for origin: Origin) -> HostAccess? {
        let access = sections.last { $0.access != nil && $0.pattern.matches(origin) }?.access
        return access.flatMap { $0.isAllowed ? nil : $0 }
    }

    /// Where a URL is asked for: in place of the longest of the prefixes that fit, what the most specific section says.
    ///
    /// It is done once, so that a mirror of one host may lie on another that has a section of its own.
    public func rewritten(_ url: SourceURL) -> SourceURL {
        guard !isEmpty, let section = sections.last(where: { !$0.rewrites.isEmpty && $0.pattern.matches(url.origin) })
        else { return url }
        let path = url.path
        let fitting = section.rewrites.filter { path.utf8.starts(with: $0.prefix.utf8) }
        guard let rewrite = fitting.max(by: { $0.prefix.utf8.count < $1.prefix.utf8.count }) else { return url }
        return rewrite.applied(to: url, path)
    }
}

/// Whether requests may go to the origins of a section.
public struct HostAccess: Hashable, Sendable {
    public var isAllowed: Bool
    /// The section's key.
    public var section: String
    public var place: Place

    public init(isAllowed: Bool, section: String, place: Place) {
        self.isAllowed = isAllowed
        self.section = section
        self.place = place
    }
}

/// What the paths that begin alike are asked for instead.
public struct HostRewrite: Hashable, Sendable {
    /// Beginning of a path, with a slash at both ends.
    public var prefix: String
    /// A URL that ends in a slash.
    public var target: SourceURL

    public init(prefix: String, target: SourceURL) {
        self.prefix = prefix
        self.target = target
    }

    fileprivate func applied(to url: SourceURL, _ path: Substring) -> SourceURL {
        SourceURL(
            url: target.url.text + path.utf8.dropFirst(prefix.utf8.count).text, origin: target.origin,
            credentials: target.origin == url.origin ? url.credentials : nil,
            rewritten: RewrittenURL(url.url, url.origin), place: url.place)
    }
}

extension Substring.UTF8View {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

extension SourceURL {
    /// Path and query as they are written, beginning with a slash.
    fileprivate var path: Substring {
        let text = url.text
        guard let mark = text.utf8.firstRange(of: Array("://".utf8)) else { return "/" }
        let slash = text.utf8[mark.upperBound...].firstIndex(of: UInt8(ascii: "/"))
        return slash.map { text[$0...] } ?? "/"
    }
}

/// What stands in the job file for a URL that is asked for elsewhere.
public final class RewrittenURL: Hashable, Sendable {
    public let url: ExactText
    public let origin: Origin

    init(_ url: ExactText, _ origin: Origin) {
        self.url = url
        self.origin = origin
    }

    public static func == (one: RewrittenURL, other: RewrittenURL) -> Bool { one.url == other.url }

    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}
