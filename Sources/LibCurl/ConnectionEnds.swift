internal import CLibCurl
internal import Synchronization

/// Which connections of TLS their servers have ended in order, with close_notify (RFC 8446 section 6.1).
///
/// libcurl 7.88 reads an end without that word as if it were one (`ossl_recv` in its lib/vtls/openssl.c), and has closed
/// the connection when a transfer is over. So OpenSSL is asked to tell (SSL_CTX_set_info_callback(3)).
package enum ConnectionEnds {
    /// By the address of OpenSSL's connection.
    private static let inOrder = Mutex<Set<UInt>>([])
    /// What is asked for is asked for at once; more are those that nobody asks for.
    private static let most = 4096
    static var isHeeded: Bool { EasyHandle.usesOpenSSL }

    /// Whether a connection, as ``EasyHandle/tlsConnection`` named it, was ended in order.
    package static func isInOrder(_ connection: UInt) -> Bool {
        inOrder.withLock { $0.contains(connection) }
    }

    static let listen: runner_curl_tls_callback = { _, context, _ in
        runner_tls_listen(context) { connection, place, value in
            ConnectionEnds.heard(UInt(bitPattern: connection), place, value)
        }
        return CURLE_OK
    }

    /// - Parameters:
    ///   - place: what OpenSSL is at.
    ///   - value: of an alert, its level and description.
    private static func heard(_ connection: UInt, _ place: Int32, _ value: Int32) {
        if place & SSL_CB_HANDSHAKE_START != 0 {
            // Another connection may have had the address before.
            _ = inOrder.withLock { $0.remove(connection) }
        } else if place & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT, value & 0xFF == SSL_AD_CLOSE_NOTIFY {
            inOrder.withLock { ends in
                if ends.count >= most { ends.removeAll() }
                ends.insert(connection)
            }
        }
    }
}

extension EasyHandle {
    /// LibreSSL and BoringSSL have its number (CURLSSLBACKEND_OPENSSL), and are other libraries than the one linked here.
    static let usesOpenSSL = CurlLibrary.tlsVersion?.hasPrefix("OpenSSL/") ?? false

    /// The connection of TLS that the transfer is on, while it is; nil for none, or with another library than OpenSSL.
    package var tlsConnection: UInt? { openSSL.map { UInt(bitPattern: $0) } }

    var openSSL: UnsafeRawPointer? { Self.usesOpenSSL ? runner_curl_tls_connection(easy) : nil }
}
