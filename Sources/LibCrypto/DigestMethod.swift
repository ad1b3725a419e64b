internal import CLibCrypto
internal import Synchronization

/// A digest algorithm of libcrypto, looked up once for the life of the process.
///
/// `EVP_MD_fetch` walks the providers and takes several microseconds, more than hashing a small file does.
final class DigestMethod: Sendable {
    // An EVP_MD is never changed after it was fetched, and its count of references is atomic (EVP_MD_fetch(3)).
    nonisolated(unsafe) let pointer: OpaquePointer
    let byteCount: Int

    private static let known = Mutex<[String: DigestMethod]>([:])

    private init(_ name: String) throws(CryptoError) {
        guard let pointer = EVP_MD_fetch(nil, name, nil) else {
            throw CryptoError(call: "EVP_MD_fetch", subject: name)
        }
        self.pointer = pointer
        byteCount = Int(EVP_MD_get_size(pointer))
    }

    deinit {
        EVP_MD_free(pointer)
    }

    /// The algorithm that OpenSSL knows by `name`; throws when there is none, or when policy (FIPS) forbids it.
    static func named(_ name: String) throws(CryptoError) -> DigestMethod {
        try known.withLock { (known) throws(CryptoError) in
            if let method = known[name] { return method }
            let method = try DigestMethod(name)
            known[name] = method
            return method
        }
    }
}
