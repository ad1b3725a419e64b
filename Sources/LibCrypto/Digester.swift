internal import CLibCrypto

/// A running computation of one digest, fed chunk by chunk.
///
/// It can go from thread to thread: the value is the only owner of its context, and using it needs exclusive access.
package struct Digester: ~Copyable, @unchecked Sendable {
    private let context: OpaquePointer
    private let method: DigestMethod
    private let name: String

    /// Starts a digest.
    ///
    /// - Parameter name: OpenSSL's name of the algorithm, such as `SHA2-256` (OSSL_PROVIDER-default(7)).
    /// - Throws: when the algorithm is unknown or forbidden, or memory is short.
    package init(_ name: String) throws(CryptoError) {
        let method = try DigestMethod.named(name)
        guard let context = EVP_MD_CTX_new() else { throw CryptoError(call: "EVP_MD_CTX_new", subject: name) }
        guard EVP_DigestInit_ex2(context, method.pointer, nil) == 1 else {
            let error = CryptoError(call: "EVP_DigestInit_ex2", subject: name)
            EVP_MD_CTX_free(context)
            throw error
        }
        self.method = method
        self.name = name
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds bytes; an empty buffer changes nothing.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        guard EVP_DigestUpdate(context, start, bytes.count) == 1 else {
            throw CryptoError(call: "EVP_DigestUpdate", subject: name)
        }
    }

    /// Ends the computation: the digest of all bytes added.
    package consuming func finalize() throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: method.byteCount)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            throw CryptoError(call: "EVP_DigestFinal_ex", subject: name)
        }
        return digest
    }
}
