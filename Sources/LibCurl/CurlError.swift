internal import CLibCurl

/// A call into libcurl that failed.
package struct CurlError: Error, Hashable, Sendable {
    /// Which numbering ``code`` belongs to.
    package enum Domain: Hashable, Sendable {
        case easy, multi, url
    }

    package var domain: Domain
    /// CURLcode, CURLMcode or CURLUcode.
    package var code: Int32
    /// The function or option that failed.
    package var call: String

    package init(_ domain: Domain, code: Int32, call: String) {
        self.domain = domain
        self.code = code
        self.call = call
    }

    /// libcurl's own words for the code.
    package var text: String {
        let words: UnsafePointer<CChar>? =
            switch domain {
            case .easy: curl_easy_strerror(CURLcode(rawValue: UInt32(bitPattern: code)))
            case .multi: curl_multi_strerror(CURLMcode(rawValue: code))
            case .url: curl_url_strerror(CURLUcode(rawValue: UInt32(bitPattern: code)))
            }
        return words.map { String(cString: $0) } ?? "code \(code)"
    }
}
