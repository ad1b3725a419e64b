internal import CLibCrypto

/// Bytes of the cryptographic random generator of libcrypto.
///
/// - Parameter count: 0 to 2^31 − 1, more is cut to that.
/// - Throws: when the generator could not be seeded.
package func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    let wanted = Int32(clamping: max(count, 0))
    var bytes = [UInt8](repeating: 0, count: Int(wanted))
    guard RAND_bytes(&bytes, wanted) == 1 else { throw CryptoError(call: "RAND_bytes", subject: "\(count) bytes") }
    return bytes
}
