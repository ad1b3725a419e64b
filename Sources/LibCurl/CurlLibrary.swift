internal import CLibCurl

/// The library as a whole: its one-time set-up and what it can do.
package enum CurlLibrary {
    /// The oldest libcurl that has all options in use: CURLOPT_QUICK_EXIT came with 7.87.0.
    package static let minimumVersion: UInt32 = 0x075700

    private static let initialized = curl_global_init(Int(CURL_GLOBAL_ALL))

    /// Sets the library up; later calls do nothing.
    ///
    /// `curl_global_init(3)` is thread-safe only from 7.84.0 on; here the runtime's one-time initialisation guards it.
    package static func initialize() throws(CurlError) {
        let code = initialized
        guard code == CURLE_OK else { throw CurlError(.easy, code: Int32(code.rawValue), call: "curl_global_init") }
    }

    /// Version of the library that is loaded, such as `7.88.1`.
    package static var version: String {
        guard let info = runner_curl_version_info(), let text = info.pointee.version else { return "unknown" }
        return String(cString: text)
    }

    /// Version as a number, 0xXXYYZZ.
    package static var versionNumber: UInt32 {
        runner_curl_version_info()?.pointee.version_num ?? 0
    }

    /// The TLS library that libcurl uses, such as `OpenSSL/3.0.19`.
    package static var tlsVersion: String? {
        guard let info = runner_curl_version_info(), let text = info.pointee.ssl_version else { return nil }
        return String(cString: text)
    }

    /// What a build of libcurl may lack.
    package enum Feature: Sendable {
        /// Look-up of host names outside ASCII.
        case internationalNames
        case http2, http3, unixSockets

        fileprivate var bit: Int32 {
            switch self {
            case .internationalNames: CURL_VERSION_IDN
            case .http2: CURL_VERSION_HTTP2
            case .http3: CURL_VERSION_HTTP3
            case .unixSockets: CURL_VERSION_UNIX_SOCKETS
            }
        }
    }

    package static func has(_ feature: Feature) -> Bool {
        guard let info = runner_curl_version_info() else { return false }
        return info.pointee.features & feature.bit != 0
    }

    /// Whether URLs of a scheme, in lower case, can be fetched.
    package static func speaks(_ scheme: String) -> Bool {
        guard var name = runner_curl_version_info()?.pointee.protocols else { return false }
        while let text = name.pointee {
            if String(cString: text) == scheme { return true }
            name += 1
        }
        return false
    }
}
