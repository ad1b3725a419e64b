/// The first and the last bytes of what a program wrote.
struct CapturedOutput: Hashable, Sendable {
    private let ceiling: Int
    private var head: [UInt8] = []
    /// A ring, once it is full.
    private var tail: [UInt8] = []
    private var start = 0
    /// Bytes that were written in all.
    private(set) var total: Int64 = 0

    /// - Parameter ceiling: bytes that are kept; a quarter of them from the beginning.
    init(ceiling: Int) {
        self.ceiling = max(4, ceiling)
    }

    private var headRoom: Int { ceiling / 4 }
    private var tailRoom: Int { ceiling - ceiling / 4 }

    mutating func append(_ bytes: some Collection<UInt8>) {
        total += Int64(bytes.count)
        let first = bytes.prefix(headRoom - head.count)
        head += first
        for byte in bytes.dropFirst(first.count) {
            if tail.count < tailRoom {
                tail.append(byte)
            } else {
                tail[start] = byte
                start = (start + 1) % tailRoom
            }
        }
    }

    /// Bytes that were written and are not kept.
    var omitted: Int64 { total - Int64(head.count + tail.count) }

    /// What is kept, with a line in the middle that says how much is not.
    var text: String {
        let last = tail[start...] + tail[..<start]
        guard omitted > 0 else { return String(decoding: head + last, as: UTF8.self) }
        return String(decoding: head, as: UTF8.self) + "\n[… \(omitted) bytes left out …]\n"
            + String(decoding: last, as: UTF8.self)
    }
}
