internal import LibCrypto
internal import LibCurl

/// What `--version` prints.
package enum VersionText {
    /// Version of the program, and of the libraries that it found: `runner 0.1.0 (libcurl 7.88.1, OpenSSL 3.0.17)`.
    package static var line: String {
        "runner \(Program.version) (libcurl \(CurlLibrary.version), OpenSSL \(CryptoLibrary.version))"
    }
}
