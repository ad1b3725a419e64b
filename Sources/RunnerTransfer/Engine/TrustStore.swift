internal import LibCurl

/// The certificates that a machine trusts, found where the curl tool looks (curl(1), ENVIRONMENT).
package struct TrustStore: Sendable {
    /// A file of certificates (PEM), and a folder of them, from the environment.
    private var file: String?
    private var folder: String?

    /// - Parameter environment: CURL_CA_BUNDLE comes before SSL_CERT_DIR and SSL_CERT_FILE.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let bundle = value("CURL_CA_BUNDLE") {
            file = bundle
        } else {
            folder = value("SSL_CERT_DIR")
            file = value("SSL_CERT_FILE")
        }
    }

    /// - Parameter own: the file that the job names; it replaces all others.
    func apply(to handle: EasyHandle, own: String?) throws(CurlError) {
        if let own {
            try handle.set(.certificateAuthorities(file: own))
            return
        }
        if let file { try handle.set(.certificateAuthorities(file: file)) }
        if let folder { try handle.set(.certificateAuthorities(folder: folder)) }
    }

    /// The same for the certificate of a proxy that is reached over TLS.
    func applyToProxy(of handle: EasyHandle, own: String?) throws(CurlError) {
        if let file = own ?? file { try handle.set(.proxyAuthorities(file: file)) }
        if own == nil, let folder { try handle.set(.proxyAuthorities(folder: folder)) }
    }
}
