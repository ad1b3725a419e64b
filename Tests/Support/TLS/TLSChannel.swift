internal import CLibSSL
import Glibc

/// The server side of TLS with one certificate.
///
/// Unchecked: OpenSSL allows one `SSL_CTX` in many threads once it is set up (openssl-threads(7)).
final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer
    /// `sha256//` and the base64 of the SHA-256 of the certificate's public key (SPKI).
    let publicKeyPin: String

    init(_ kind: TestCertificate) throws(SystemFailure) {
        let certificate = try kind.signer().sign(kind)
        publicKeyPin = try certificate.publicKeyPin()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw SystemFailure("SSL_CTX_new", code: 0) }
        self.context = context
        guard SSL_CTX_use_certificate(context, certificate.x509) == 1,
            SSL_CTX_use_PrivateKey(context, certificate.key) == 1
        else { throw SystemFailure("SSL_CTX_use_certificate", code: 0) }
    }

    deinit {
        SSL_CTX_free(context)
    }
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

    func finish() {
        SSL_shutdown(ssl)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func dispose() {
        SSL_free(ssl)
        close(descriptor)
    }
}
