internal import CLibCurl
internal import LibLocale

/// A URL taken apart by libcurl's URL API (`curl_url(3)`).
///
/// Owns the handle. What is accepted and what it means is libcurl's business, so that a URL that is checked here
/// is read the same way when it is fetched.
package struct URLParts: ~Copyable {
    private let handle: OpaquePointer

    /// A piece of a URL.
    package enum Part: Sendable, CaseIterable {
        case url, scheme, user, password, host, port, path, query, fragment, zoneID
    }

    /// How a piece is given back.
    package struct Reading: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// With percent escapes resolved; a piece that then holds a control character is an error.
        package static let decoded = Reading(rawValue: 1)
        /// A host in ASCII: internationalised names in Punycode.
        package static let punycode = Reading(rawValue: 2)
        /// The port that the scheme stands for where none is written.
        package static let defaultPort = Reading(rawValue: 4)
        /// The port left out where it is the one that the scheme stands for.
        package static let withoutDefaultPort = Reading(rawValue: 8)
    }

    /// Takes an absolute URL apart; spaces and bytes beyond ASCII are percent-encoded, escapes stay as they are.
    ///
    /// Any scheme is accepted.
    /// - Throws: ``URLError`` where libcurl sees no URL.
    package init(_ text: String) throws(URLError) {
        handle = try Self.parse(text)
    }

    private static func parse(_ text: String) throws(URLError) -> OpaquePointer {
        guard let handle = curl_url() else { throw URLError(CURLUE_OUT_OF_MEMORY) }
        let code = curl_url_set(
            handle, CURLUPART_URL, withoutBlanksInQuery(text), UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME))
        guard code == CURLUE_OK else {
            curl_url_cleanup(handle)
            throw URLError(code)
        }
        return handle
    }

    /// libcurl writes a blank in a query as `+`, which only forms know to be one; a signature would be for a plus sign.
    private static func withoutBlanksInQuery(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: " ")), let query = text.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return text
        }
        return String(text[..<query])
            + text[query...].split(separator: " ", omittingEmptySubsequences: false)
            .joined(separator: "%20")
    }

    deinit {
        curl_url_cleanup(handle)
    }

    /// One piece; nil where the URL has none.
    ///
    /// - Throws: ``URLError`` where the piece cannot be given in that form.
    package func text(_ part: Part, _ reading: Reading = []) throws(URLError) -> String? {
        var result: UnsafeMutablePointer<CChar>?
        // libidn2, which makes Punycode for libcurl, takes the encoding of a name from the locale.
        let code =
            reading.contains(.punycode)
            ? CharacterLocale.run { curl_url_get(handle, part.code, &result, reading.flags) }
            : curl_url_get(handle, part.code, &result, reading.flags)
        defer { curl_free(result) }
        if part.absences.contains(code) { return nil }
        guard code == CURLUE_OK else { throw URLError(code) }
        guard let result else { return nil }
        // Repaired, it would be another password than was meant.
        if part == .user || part == .password, String(validatingCString: result) == nil {
            throw URLError(CURLUE_BAD_LOGIN)
        }
        return String(cString: result)
    }

    /// Replaces a piece, or takes it away with nil.
    ///
    /// - Parameter isEscaped: whether the text has its percent escapes; it gets them otherwise.
    /// - Throws: ``URLError`` where libcurl does not accept the text there.
    package mutating func set(_ part: Part, to text: String?, isEscaped: Bool = true) throws(URLError) {
        let flags = isEscaped ? CURLU_NON_SUPPORT_SCHEME : CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE
        let code = curl_url_set(handle, part.code, text, UInt32(flags))
        guard code == CURLUE_OK else { throw URLError(code) }
    }
}

extension URLParts.Part {
    fileprivate var code: CURLUPart {
        switch self {
        case .url: CURLUPART_URL
        case .scheme: CURLUPART_SCHEME
        case .user: CURLUPART_USER
        case .password: CURLUPART_PASSWORD
        case .host: CURLUPART_HOST
        case .port: CURLUPART_PORT
        case .path: CURLUPART_PATH
        case .query: CURLUPART_QUERY
        case .fragment: CURLUPART_FRAGMENT
        case .zoneID: CURLUPART_ZONEID
        }
    }

    /// The codes that say that a URL lacks this piece.
    fileprivate var absences: [CURLUcode] {
        switch self {
        case .user: [CURLUE_NO_USER]
        case .password: [CURLUE_NO_PASSWORD]
        // A file URL has no host.
        case .host: [CURLUE_NO_HOST]
        case .port: [CURLUE_NO_PORT]
        case .query: [CURLUE_NO_QUERY]
        case .fragment: [CURLUE_NO_FRAGMENT]
        case .zoneID: [CURLUE_NO_ZONEID]
        case .scheme: [CURLUE_NO_SCHEME]
        case .url, .path: []
        }
    }
}

extension URLParts.Reading {
    fileprivate var flags: UInt32 {
        var flags: UInt32 = 0
        if contains(.decoded) { flags |= UInt32(CURLU_URLDECODE) }
        if contains(.punycode) { flags |= UInt32(CURLU_PUNYCODE) }
        if contains(.defaultPort) { flags |= UInt32(CURLU_DEFAULT_PORT) }
        if contains(.withoutDefaultPort) { flags |= UInt32(CURLU_NO_DEFAULT_PORT) }
        return flags
    }
}
