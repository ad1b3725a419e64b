internal import CLibCurl

/// Bytes over the connection of a transfer that was to connect and nothing else, and has (CURLOPT_CONNECT_ONLY(3)).
///
/// Not to be called from a callback of libcurl's.
extension EasyHandle {
    /// What a call to send or receive came to.
    package enum Transit: Hashable, Sendable {
        case moved(Int)
        /// Nothing can be moved for now.
        case wait
        /// A CURLcode.
        case failed(code: Int32)
    }

    /// Whether the server has said by ALPN (RFC 7301) that it speaks HTTP/1.1; false with another library than OpenSSL.
    ///
    /// To be known only after the first call to ``send(_:)`` or ``receive(into:)``, which are what libcurl finds the
    /// connection for.
    package var speaksHTTP11: Bool {
        openSSL.map { runner_tls_speaks_http11($0) != 0 } ?? false
    }

    /// Sends as much as there is room for.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Transit {
        var count = 0
        let code = curl_easy_send(easy, bytes.baseAddress, bytes.count, &count)
        return code == CURLE_OK ? .moved(count) : Self.failure(code)
    }

    /// Takes what has come, over TLS one record at the most; nothing when the other end has ended the connection, in order or
    /// not.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transit {
        var count = 0
        let code = curl_easy_recv(easy, buffer.baseAddress, buffer.count, &count)
        return code == CURLE_OK ? .moved(count) : Self.failure(code)
    }

    private static func failure(_ code: CURLcode) -> Transit {
        code == CURLE_AGAIN ? .wait : .failed(code: Int32(code.rawValue))
    }
}
