/// A number for a list of texts, the same from run to run: FNV-1a, 64 bits.
///
/// It tells apart what the same people wrote, and guards against nobody.
public struct Fingerprint: Sendable {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    public init() {}

    /// Adds a text; where it ends counts too.
    public mutating func add(_ text: String) {
        addBytes(of: text)
        addBytes(of: "\n\(text.utf8.count)\n")
    }

    /// Adds a text that may be missing.
    public mutating func add(_ text: String?) {
        if let text { add(text) } else { addBytes(of: "-") }
    }

    /// Adds the bytes of a text and nothing else.
    public mutating func addBytes(of text: String) {
        for byte in text.utf8 { add(byte) }
    }

    /// Adds bytes, which need not be text; where they end counts too.
    public mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
        addBytes(of: "\n\(bytes.count)\n")
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    public var value: Int64 { Int64(bitPattern: hash) }
    /// Sixteen hexadecimal digits.
    public var digits: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
