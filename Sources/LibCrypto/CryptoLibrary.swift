internal import CLibCrypto

/// The library as a whole.
package enum CryptoLibrary {
    /// Version of the library that is loaded, such as `3.0.17`.
    package static var version: String {
        guard let text = OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
        return String(cString: text)
    }
}
