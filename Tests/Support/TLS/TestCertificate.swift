internal import CLibSSL
import Glibc

/// Certificates made for this process, signed by an authority made for this process.
package enum TestCertificate: Sendable {
    /// For localhost, 127.0.0.1 and ::1.
    case valid
    /// Right names, but its time is over.
    case expired
    /// For another host.
    case wrongHost
    /// Right names, signed by an authority that is not in the file at ``authorityPath``.
    case unknownAuthority

    /// A PEM file with the authority that signed all but the unknown one, for `tls.ca`.
    package static var authorityPath: String {
        get throws(SystemFailure) {
            switch authority {
            case .success(let authority): return authority.path
            case .failure(let failure): throw failure
            }
        }
    }

    /// Writes a key of nobody's as a PEM file that a passphrase opens.
    package static func writeLockedKey(to path: String, passphrase: String) throws(SystemFailure) {
        try valid.signer().sign(valid).writeKey(to: path, passphrase: passphrase)
    }

    static let authority = Result<CertificateAuthority, SystemFailure> { () throws(SystemFailure) in
        try CertificateAuthority(name: "runner test authority")
    }

    static let otherAuthority = Result<CertificateAuthority, SystemFailure> { () throws(SystemFailure) in
        try CertificateAuthority(name: "runner other test authority")
    }

    /// The names the certificate is made for, in OpenSSL's notation.
    var names: String {
        switch self {
        case .valid, .expired, .unknownAuthority: "DNS:localhost,IP:127.0.0.1,IP:::1"
        case .wrongHost: "DNS:elsewhere.invalid"
        }
    }

    /// Its time, in seconds from now.
    var validity: ClosedRange<Int> {
        switch self {
        case .expired: -7200 ... -3600
        case .valid, .wrongHost, .unknownAuthority: -3600...86_400
        }
    }

    /// The authority that signs it.
    func signer() throws(SystemFailure) -> CertificateAuthority {
        let authority =
            if case .unknownAuthority = self { TestCertificate.otherAuthority } else { TestCertificate.authority }
        return try authority.get()
    }
}
