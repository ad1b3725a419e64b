internal import RunnerJob

/// A digest as a checksum list spells it: hexadecimal, or canonical base64 with its padding (RFC 4648, 4).
enum DigestText {
    static func digest(_ algorithm: DigestAlgorithm, _ text: ArraySlice<UInt8>) -> Digest? {
        let bytes = text.count == 2 * algorithm.byteCount ? Hexadecimal.bytes(text) : Base64.bytes(text)
        return bytes.flatMap { Digest(algorithm, bytes: $0) }
    }
}
