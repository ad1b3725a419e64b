/// Which origins a section of `hosts` is for.
public struct HostPattern: Hashable, Sendable {
    /// From the least to the most specific.
    public enum Kind: Hashable, Sendable {
        /// `*`
        case any
        /// `*.example.org`: every host that ends in `.example.org`, at any depth; the suffix without `*`.
        case suffix(String)
        /// A host with any scheme and port.
        case host(String)
        case hostAndPort(String, Int)
        /// `https://example.org:8443`; without a port the scheme's own.
        case origin(Origin)
    }

    public let kind: Kind
    /// As it stands in the job file.
    public let text: String

    public init(_ kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    public func matches(_ origin: Origin) -> Bool {
        let origin = Self.withoutRoot(origin)
        return switch kind {
        case .any: true
        case .suffix(let suffix): origin.host.hasSuffix(suffix) && origin.host.utf8.count > suffix.utf8.count
        case .host(let host): origin.host == host
        case .hostAndPort(let host, let port): origin.host == host && origin.port == port
        case .origin(let own): origin == own
        }
    }

    /// The same origin without the dot that a name in full may end in, which leads to the same host (RFC 1034, 3.1).
    private static func withoutRoot(_ origin: Origin) -> Origin {
        guard origin.host.utf8.last == UInt8(ascii: "."), origin.host.utf8.count > 1 else { return origin }
        return Origin(scheme: origin.scheme, host: String(origin.host.dropLast()), port: origin.port)
    }

    /// Whether this pattern comes before another; of two suffixes the shorter one does.
    func isLessSpecific(than other: HostPattern) -> Bool { rank < other.rank }

    private var rank: (Int, Int) {
        switch kind {
        case .any: (0, 0)
        case .suffix(let suffix): (1, suffix.utf8.count)
        case .host: (2, 0)
        case .hostAndPort: (3, 0)
        case .origin: (4, 0)
        }
    }
}

/// Why a text is no ``HostPattern``; the words go on from the quoted text.
public enum HostPatternFault: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// A dot before the first part, which other programs take for `*.`.
    case leadingDot
    /// A `*` elsewhere than as the first label.
    case wildcard
    case path
    /// User and password.
    case userInfo
    /// What the reader of URLs says.
    case url(URLFault)

    public var description: String {
        switch self {
        case .empty: "is empty; write a host, `*.suffix` or `*`"
        case .leadingDot: "begins with a dot; write `*.` before the name for the hosts below it"
        case .wildcard: "has a `*` that is not its first part; write `*` alone or `*.example.org`"
        case .path: "goes on behind the host; a section is for a whole host: host, host:port or scheme://host"
        case .userInfo: "holds a user; write it as `auth` in the section"
        case .url(let fault): "is no host: \(fault)"
        }
    }
}

extension HostPattern {
    /// Reads `*`, `*.suffix`, `host`, `host:port` or `scheme://host[:port]`.
    ///
    /// - Throws: ``HostPatternFault``.
    public init(_ text: String, at place: Place) throws(HostPatternFault) {
        if text.isEmpty { throw .empty }
        if text.hasPrefix(".") || text.contains("://.") { throw .leadingDot }
        if text == "*" {
            self.init(.any, text: text)
            return
        }
        if text.hasPrefix("*.") {
            let rest = String(text.dropFirst(2))
            if rest.contains("*") || rest.contains(":") || rest.isEmpty { throw .wildcard }
            self.init(.suffix("." + (try Self.origin("http://" + rest, at: place)).host), text: text)
            return
        }
        if text.contains("*") { throw .wildcard }
        if text.contains("://") {
            self.init(.origin(try Self.origin(text, at: place)), text: text)
            return
        }
        let origin = try Self.origin("http://" + text, at: place)
        // The port of a URL without one would be 80.
        let hasPort = text.utf8.last.map { 0x30...0x39 ~= $0 } == true && Self.hasPort(text)
        self.init(hasPort ? .hostAndPort(origin.host, origin.port) : .host(origin.host), text: text)
    }

    /// Whether digits stand behind a colon that is not part of an address in brackets.
    private static func hasPort(_ text: String) -> Bool {
        let tail = text.split(separator: "]", omittingEmptySubsequences: false).last ?? ""
        return tail.contains(":")
    }

    private static func origin(_ text: String, at place: Place) throws(HostPatternFault) -> Origin {
        guard let mark = text.utf8.firstRange(of: Array("://".utf8)) else { throw .empty }
        let host = text.utf8[mark.upperBound...]
        if host.contains(where: { "/?#".utf8.contains($0) }) { throw .path }
        if host.contains(UInt8(ascii: "@")) { throw .userInfo }
        do throws(URLFault) {
            return withoutRoot(try SourceURL(text + "/", at: place).origin)
        } catch {
            throw .url(error)
        }
    }
}
