internal import CLibCrypto

/// A failed call of libcrypto.
package struct CryptoError: Error, Hashable, Sendable {
    /// The C function.
    package var call: String
    /// What it was about, such as the name of an algorithm.
    package var subject: String
    /// Packed error code of OpenSSL (ERR_get_error(3)); 0 when the library left none.
    package var code: UInt
    /// OpenSSL's own words for ``code``.
    package var text: String

    /// Takes the oldest error of this thread's queue and empties the queue, so that no later call reports it again.
    init(call: String, subject: String) {
        self.call = call
        self.subject = subject
        code = ERR_get_error()
        text = code == 0 ? "unknown error" : Self.text(of: code)
        ERR_clear_error()
    }

    private static func text(of code: UInt) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
