internal import CLibCurl

/// Why libcurl does not take a text for a URL (`libcurl-errors(3)`, CURLUcode).
package struct URLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the CURLUcode.
    package let code: UInt32

    /// What kind of fault it is, as far as callers tell them apart.
    package enum Kind: Hashable, Sendable {
        case scheme, host, port, userInfo, escape, internationalName, other
    }

    init(_ code: CURLUcode) {
        self.code = code.rawValue
    }

    package var kind: Kind {
        switch CURLUcode(rawValue: code) {
        case CURLUE_BAD_SCHEME, CURLUE_NO_SCHEME, CURLUE_UNSUPPORTED_SCHEME: .scheme
        case CURLUE_BAD_HOSTNAME, CURLUE_NO_HOST, CURLUE_BAD_IPV6: .host
        case CURLUE_BAD_PORT_NUMBER: .port
        case CURLUE_BAD_LOGIN, CURLUE_BAD_USER, CURLUE_BAD_PASSWORD, CURLUE_USER_NOT_ALLOWED: .userInfo
        case CURLUE_URLDECODE: .escape
        case CURLUE_LACKS_IDN: .internationalName
        default: .other
        }
    }

    /// What libcurl calls it.
    package var description: String {
        curl_url_strerror(CURLUcode(rawValue: code)).map { String(cString: $0) } ?? "error \(code)"
    }
}
