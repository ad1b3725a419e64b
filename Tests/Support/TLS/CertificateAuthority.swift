internal import CLibSSL
import Glibc

/// An authority with a key of its own, made for this process.
final class CertificateAuthority: Sendable {
    /// The PEM file of the authority's certificate; it lives as long as the process.
    let path: String
    private let certificate: Certificate

    init(name: String) throws(SystemFailure) {
        certificate = try Certificate(subject: name, names: nil, validity: -86_400...864_000, signer: nil)
        let folder = try TemporaryDirectory()
        let file = folder.path("authority.pem")
        try certificate.writePEM(to: file)
        // The descriptor stays open and the name goes away with `folder`, so that nothing is left on disk
        // when the process ends in whatever way; proc(5) gives the file a name until then.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure("open \(file)") }
        path = "/proc/\(getpid())/fd/\(descriptor)"
    }

    /// Makes and signs a certificate.
    func sign(_ wanted: TestCertificate) throws(SystemFailure) -> Certificate {
        try Certificate(subject: "runner test", names: wanted.names, validity: wanted.validity, signer: certificate)
    }
}

/// A key and its certificate.
///
/// Unchecked: OpenSSL counts references to both atomically, and neither is changed after `init`.
final class Certificate: @unchecked Sendable {
    let key: OpaquePointer
    let x509: OpaquePointer

    /// Makes a P-256 key and a certificate for it, signed by `signer` or by itself.
    init(
        subject: String, names: String?, validity: ClosedRange<Int>, signer: Certificate?
    ) throws(SystemFailure) {
        guard let key = Certificate.makeKey() else { throw SystemFailure("EVP_PKEY_keygen", code: 0) }
        guard let x509 = X509_new() else {
            EVP_PKEY_free(key)
            throw SystemFailure("X509_new", code: 0)
        }
        self.key = key
        self.x509 = x509
        X509_set_version(x509, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(x509), Int(getpid()) << 20 | Int.random(in: 1..<1 << 20))
        X509_gmtime_adj(X509_getm_notBefore(x509), validity.lowerBound)
        X509_gmtime_adj(X509_getm_notAfter(x509), validity.upperBound)
        X509_set_pubkey(x509, key)
        X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_UTF8, subject, -1, -1, 0)
        X509_set_issuer_name(x509, X509_get_subject_name(signer?.x509 ?? x509))
        if let names {
            try extend(NID_subject_alt_name, names)
        } else {
            try extend(NID_basic_constraints, "critical,CA:TRUE")
            try extend(NID_key_usage, "critical,keyCertSign")
        }
        guard X509_sign(x509, signer?.key ?? key, EVP_sha256()) > 0 else { throw SystemFailure("X509_sign", code: 0) }
    }

    deinit {
        X509_free(x509)
        EVP_PKEY_free(key)
    }

    /// Writes the certificate, without its key, as a PEM file.
    func writePEM(to path: String) throws(SystemFailure) {
        guard let output = BIO_new_file(path, "w") else { throw SystemFailure("BIO_new_file", code: 0) }
        defer { BIO_free(output) }
        guard PEM_write_bio_X509(output, x509) == 1 else { throw SystemFailure("PEM_write_bio_X509", code: 0) }
    }

    /// Writes the key as a PEM file that a passphrase opens.
    func writeKey(to path: String, passphrase: String) throws(SystemFailure) {
        guard let output = BIO_new_file(path, "w") else { throw SystemFailure("BIO_new_file", code: 0) }
        defer { BIO_free(output) }
        let count = Int32(passphrase.utf8.count)
        guard PEM_write_bio_PKCS8PrivateKey(output, key, EVP_aes_128_cbc(), passphrase, count, nil, nil) == 1 else {
            throw SystemFailure("PEM_write_bio_PKCS8PrivateKey", code: 0)
        }
    }

    /// The pin of its key as curl writes it.
    func publicKeyPin() throws(SystemFailure) -> String {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &encoded)
        guard count > 0, let encoded else { throw SystemFailure("i2d_PUBKEY", code: 0) }
        defer { CRYPTO_free(encoded, #file, #line) }
        var digest = [UInt8](repeating: 0, count: 32)
        var base64 = [UInt8](repeating: 0, count: 45)
        guard EVP_Digest(encoded, Int(count), &digest, nil, EVP_sha256(), nil) == 1,
            EVP_EncodeBlock(&base64, digest, 32) == 44
        else { throw SystemFailure("EVP_Digest", code: 0) }
        return "sha256//" + String(decoding: base64.prefix(44), as: UTF8.self)
    }

    private func extend(_ kind: Int32, _ value: String) throws(SystemFailure) {
        guard let field = X509V3_EXT_conf_nid(nil, nil, kind, value) else {
            throw SystemFailure("X509V3_EXT_conf_nid", code: 0)
        }
        X509_add_ext(x509, field, -1)
        X509_EXTENSION_free(field)
    }

    private static func makeKey() -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_keygen(context, &key) == 1
        else { return nil }
        return key
    }
}
