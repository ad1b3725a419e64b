internal import CLibSSL
import Glibc

/// The server side of TLS with one certificate.
///
/// Unchecked: OpenSSL allows one `SSL_CTX` in many threads once it is set up (openssl-threads(7)).
final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer
    /// `sha256//` and the base64 of the SHA-256 of the certificate's public key (SPKI).
    let publicKeyPin: String

    init(_ kind: TestCertificate, negotiation: Negotiation) throws(SystemFailure) {
        let certificate = try kind.signer().sign(kind)
        publicKeyPin = try certificate.publicKeyPin()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw SystemFailure("SSL_CTX_new", code: 0) }
        self.context = context
        guard SSL_CTX_use_certificate(context, certificate.x509) == 1,
            SSL_CTX_use_PrivateKey(context, certificate.key) == 1
        else { throw SystemFailure("SSL_CTX_use_certificate", code: 0) }
        switch negotiation {
        case .http11: SSL_CTX_set_alpn_select_cb(context, chooseHTTP11, nil)
        case .none: break
        case .refusal: SSL_CTX_set_alpn_select_cb(context, wantHTTP2, nil)
        }
    }

    deinit {
        SSL_CTX_free(context)
    }
}

/// What a server says to the protocols that a client offers (RFC 7301 section 3.2).
package enum Negotiation: Sendable {
    /// It chooses HTTP/1.1.
    case http11
    /// Nothing, as servers do that do not know of such an offer.
    case none
    /// It ends the handshake with a client that does not offer HTTP/2, and chooses nothing otherwise.
    case refusal
}

/// Where a callback's answer points to.
private let http11 = StaticString("http/1.1")

private let chooseHTTP11: SSL_CTX_alpn_select_cb_func = { _, chosen, length, offer, count, _ in
    let offered = UnsafeBufferPointer(start: offer, count: Int(count)).split(separator: 8)
    guard offered.contains(where: { $0.starts(with: "http/1.1".utf8) }) else { return SSL_TLSEXT_ERR_NOACK }
    chosen?.pointee = http11.utf8Start
    length?.pointee = UInt8(http11.utf8CodeUnitCount)
    return SSL_TLSEXT_ERR_OK
}

/// Ends a handshake in which HTTP/2 is not offered (RFC 7301 section 3.2); in others no protocol is chosen.
private let wantHTTP2: SSL_CTX_alpn_select_cb_func = { _, _, _, offer, count, _ in
    let offered = UnsafeBufferPointer(start: offer, count: Int(count)).split(separator: 2)
    return offered.contains { $0.starts(with: "h2".utf8) } ? SSL_TLSEXT_ERR_NOACK : SSL_TLSEXT_ERR_ALERT_FATAL
}

/// A connection under TLS.
final class TLSChannel: Channel {
    let descriptor: Int32
    private let ssl: OpaquePointer

    /// Shakes hands; `nil` when the client does not agree, and then the socket is still the caller's.
    init?(_ descriptor: Int32, _ context: TLSContext) {
        guard let ssl = SSL_new(context.context) else { return nil }
        guard SSL_set_fd(ssl, descriptor) == 1, SSL_accept(ssl) == 1 else {
            SSL_free(ssl)
            return nil
        }
        self.descriptor = descriptor
        self.ssl = ssl
    }

    func read(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, Int(SSL_read(ssl, buffer.baseAddress, Int32(limit))))
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        return bytes.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) == Int32($0.count) }
    }

    /// Sends what belongs to TLS alone, and is none of the stream.
    func sendTicket() {
        SSL_new_session_ticket(ssl)
        SSL_do_handshake(ssl)
    }

    func finish() {
        SSL_shutdown(ssl)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func dispose() {
        SSL_free(ssl)
        close(descriptor)
    }
}
