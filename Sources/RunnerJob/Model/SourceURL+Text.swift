internal import LibCurl

/// Why a text is no URL that can be fetched.
///
/// The URL itself is not part of the fault, as it may hold a password.
public enum URLFault: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// Does not begin with `scheme://`.
    case noScheme
    /// Schemes other than http, https, ftp, sftp and file, or one that this libcurl lacks.
    case unknownScheme(String)
    case badHost
    case badPort
    /// User or password seem to hold a delimiter as it is, so that they end before the `@`.
    case rawDelimiter
    /// User and password cannot be read: an escape in them stands for a control character, or they are no UTF-8.
    case badUserInfo
    /// A file URL that names another host.
    case badFileURL
    /// This libcurl cannot write the host in ASCII, or the locale's encoding is not UTF-8.
    case internationalName
    case controlCharacter
    /// An escape in the path stands for a byte that no path of that protocol can hold.
    case encodedControl
    /// What libcurl says of everything else.
    case malformed(String)

    public var description: String {
        switch self {
        case .empty: "the URL is empty"
        case .noScheme: "a URL begins with its scheme; write it in full, such as https://example.org/file"
        case .unknownScheme(let scheme):
            "the scheme \(shown(scheme)) cannot be fetched; \(Self.schemes) can"
        case .badHost: "the host of the URL cannot be read"
        case .badPort: "the port of the URL must be a number from 0 to 65535"
        case .rawDelimiter:
            "the port of the URL cannot be read; in a user or password `/` is written %2F, `?` %3F and `#` %23"
        case .badUserInfo: "the user and password in the URL cannot be read; percent-encode them, as UTF-8"
        case .badFileURL: "a file URL names no host; write file:///path"
        case .internationalName:
            "the host has characters beyond ASCII, which cannot be converted here (IDN); write it as xn--…"
        case .controlCharacter: "a URL cannot hold a control character or a line break"
        case .encodedControl:
            "the path of the URL holds a control character in percent encoding, which no file name of this scheme can"
        case .malformed(let reason): "the URL cannot be read: \(reason)"
        }
    }
}

extension URLFault {
    fileprivate static var schemes: String {
        CurlLibrary.speaks("sftp") ? "http, https, ftp, sftp and file" : "http, https, ftp and file"
    }
}

extension SourceURL {
    /// Reads a URL as a person writes it, by libcurl's rules.
    ///
    /// Spaces and characters beyond ASCII are percent-encoded, what is encoded stays, dot segments are resolved,
    /// the fragment is dropped, user and password become ``credentials``.
    /// - Throws: ``URLFault``.
    public init(_ text: String, at place: Place) throws(URLFault) {
        if text.isEmpty { throw .empty }
        if text.holds({ $0 < 0x20 || $0 == 0x7F }) { throw .controlCharacter }
        let scheme = try Self.scheme(of: text)
        // libcurl would take the first part of the path for the host.
        if scheme != "file", text.utf8.dropFirst(scheme.utf8.count).starts(with: ":///".utf8) { throw .badHost }
        let isImpossible: Bool
        do throws(URLError) {
            var parts = try URLParts(text)
            // Most URLs have neither, and a call for nothing is most of what reading one costs.
            let credentials = text.holds(UInt8(ascii: "@")) ? try Self.takeCredentials(from: &parts) : nil
            if text.holds(UInt8(ascii: "#")) { try parts.set(.fragment, to: nil) }
            let origin = try Self.origin(of: &parts, scheme: scheme)
            let url = try parts.text(.url, .withoutDefaultPort) ?? ""
            isImpossible = Self.holdsControl(url, scheme: scheme)
            self.init(url: url, origin: origin, credentials: credentials, place: place)
        } catch {
            let fault = URLFault(error, scheme: scheme)
            throw fault == .badPort && Self.hasLateUserInfo(text) ? .rawDelimiter : fault
        }
        if isImpossible { throw .encodedControl }
        // `http://me:?word@host` would be the host `me` without a port, and the password a part of the query.
        if text.holds(UInt8(ascii: "@")), Self.hasEmptyPort(text), Self.hasLateUserInfo(text) { throw .rawDelimiter }
    }

    private static func hasEmptyPort(_ text: String) -> Bool {
        let rest = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        return rest.prefix { !"/?#".utf8.contains($0) }.last == UInt8(ascii: ":")
    }

    /// Whether an escape stands for a byte that the protocol's paths cannot hold: a file's name ends before a NUL, and
    /// a command of FTP at a line break (RFC 3986 section 7.3, RFC 1738 section 3.2.2).
    private static func holdsControl(_ url: String, scheme: String) -> Bool {
        let last: UInt8
        switch scheme {
        case "file", "sftp": last = 0
        case "ftp": last = 0x1F
        default: return false
        }
        return url.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().contains {
            $0.count >= 2 && UInt8(String(decoding: $0.prefix(2), as: UTF8.self), radix: 16).map { $0 <= last } == true
        }
    }

    /// Whether there is an `@` behind the first part of a URL and none in it.
    private static func hasLateUserInfo(_ text: String) -> Bool {
        let rest = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        guard let end = rest.firstIndex(where: { "/?#".utf8.contains($0) }) else { return false }
        return !rest[..<end].contains(UInt8(ascii: "@")) && rest[end...].contains(UInt8(ascii: "@"))
    }

    private static func scheme(of text: String) throws(URLFault) -> String {
        if text.hasPrefix("https://") { return "https" }
        if text.hasPrefix("http://") { return "http" }
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let isName = name.allSatisfy { byte in
            Origin.isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.".utf8.contains(byte)
        }
        guard let first = name.first, Origin.isLetter(first), isName, name.count < text.utf8.count else {
            throw .noScheme
        }
        let written = String(decoding: name, as: UTF8.self)
        let scheme = written.lowercased()
        let rest = text.utf8.dropFirst(name.count)
        let isKnown =
            ["http", "https", "ftp", "file"].contains(scheme) || scheme == "sftp" && CurlLibrary.speaks(scheme)
        guard isKnown else {
            // `example.org:8080/file` has a host where the scheme is looked for.
            if name.contains(UInt8(ascii: ".")) || rest.dropFirst().first.map({ 0x30...0x39 ~= $0 }) == true {
                throw .noScheme
            }
            // As it is written, so that it can be masked where a secret was put in.
            throw .unknownScheme(written)
        }
        guard rest.starts(with: "://".utf8) else { throw .noScheme }
        return scheme
    }

    private static func takeCredentials(from parts: inout URLParts) throws(URLError) -> Credentials? {
        let user = try parts.text(.user, .decoded)
        let password = try parts.text(.password, .decoded)
        guard user != nil || password != nil else { return nil }
        try parts.set(.user, to: nil)
        try parts.set(.password, to: nil)
        return Credentials(user: user ?? "", password: password ?? "")
    }

    /// Writes scheme and host in their one spelling, and returns them with the port.
    private static func origin(of parts: inout URLParts, scheme: String) throws(URLError) -> Origin {
        guard scheme != "file" else { return Origin(scheme: scheme, host: "", port: 0) }
        let written = try parts.text(.host) ?? ""
        let host = (try isASCII(written) ? written : parts.text(.host, .punycode) ?? "").lowercased()
        let zone = host.utf8.first == UInt8(ascii: "[") ? try parts.text(.zoneID) : nil
        if ExactText(host) != ExactText(written) {
            try parts.set(.host, to: host)
            if let zone { try parts.set(.zoneID, to: zone) }
        }
        let port = (try parts.text(.port, .defaultPort)).flatMap { Int($0) } ?? 0
        let scoped = zone.map { "\(host.dropLast())%25\($0)]" } ?? host
        return Origin(scheme: scheme, host: scoped, port: port)
    }

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// The name that the URL gives its file: the last part of its path, decoded once, safe as the name of one file.
    ///
    /// Nil when the path ends in `/`. A part that would be no plain name when decoded stays encoded; a name of
    /// more than 255 bytes is cut, its suffix kept.
    public var fileName: String? {
        let path = url.text.utf8.prefix { $0 != UInt8(ascii: "?") }
        // What stands before the path: `scheme://host`.
        let slashes = path.indices.filter { path[$0] == UInt8(ascii: "/") }
        guard slashes.count > 2, let last = slashes.last else { return nil }
        let encoded = String(decoding: path[path.index(after: last)...], as: UTF8.self)
        if encoded.isEmpty || encoded == "." || encoded == ".." { return nil }
        return FileName.cut(FileName.decoded(encoded) ?? encoded)
    }

    /// The path of the URL without its first slash, each part decoded once; a part that would be no plain name stays
    /// encoded.
    public var filePath: String {
        let path = url.text.utf8.prefix { $0 != UInt8(ascii: "?") }
        // What stands before the path: `scheme:`, nothing, and the host.
        return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst(3)
            .map { String(decoding: $0, as: UTF8.self) }.map { FileName.decoded($0) ?? $0 }
            .joined(separator: "/")
    }
}

extension SourceURL.Credentials {
    /// What must never be printed: the password, or the user where a token stands in its place, and both together
    /// as they go over the wire (RFC 7617).
    public var secrets: Set<String> {
        let secret = password.isEmpty ? user : password
        return secret.isEmpty ? [] : [secret, Base64.text(Array("\(user):\(password)".utf8))]
    }
}

extension Origin {
    fileprivate static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}

extension URLFault {
    fileprivate init(_ error: URLError, scheme: String) {
        switch error.kind {
        case .scheme: self = .unknownScheme(scheme)
        case .host: self = .badHost
        case .port: self = .badPort
        case .userInfo, .escape: self = .badUserInfo
        case .internationalName: self = .internationalName
        case .other: self = scheme == "file" ? .badFileURL : .malformed(error.description)
        }
    }
}
