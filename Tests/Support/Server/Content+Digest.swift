internal import CLibSSL

extension Content {
    /// The SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
    package var sha256: String {
        digest("SHA256")
    }

    /// A digest of the bytes by the algorithm's OpenSSL name, in lower-case hexadecimal digits.
    package func digest(_ algorithm: String) -> String {
        guard let kind = EVP_get_digestbyname(algorithm), let context = EVP_MD_CTX_new() else { return "" }
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestInit_ex(context, kind, nil)
        var offset = 0
        while offset < count {
            let piece = read(from: offset, count: 1 << 20)
            guard !piece.isEmpty else { return "" }
            EVP_DigestUpdate(context, piece, piece.count)
            offset += piece.count
        }
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        EVP_DigestFinal_ex(context, &result, &length)
        return result.prefix(Int(length)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
