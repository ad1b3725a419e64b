/// Puts numbers, texts and bytes one behind the other, each with its length before it; numbers have their lowest byte
/// first.
struct RecordWriter {
    private(set) var content: [UInt8] = []

    mutating func number(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { content.append(contentsOf: $0) }
    }

    mutating func bytes(_ value: some Collection<UInt8>) {
        count(value)
        content += value
    }

    /// The length of bytes that follow without being put here.
    mutating func count(_ value: some Collection<UInt8>) {
        number(UInt64(value.count))
    }

    mutating func text(_ value: String) {
        number(UInt64(value.utf8.count))
        content += value.utf8
    }

    mutating func texts(_ values: [String]) {
        number(UInt64(values.count))
        for value in values { text(value) }
    }
}

/// Reads what a ``RecordWriter`` wrote; nil as soon as something is missing.
struct RecordReader {
    private var rest: ArraySlice<UInt8>

    init(_ content: ArraySlice<UInt8>) {
        rest = content
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number<Value: FixedWidthInteger>(_: Value.Type = Int64.self) -> Value? {
        let size = Value.bitWidth / 8
        guard rest.count >= size else { return nil }
        let value = rest.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
        rest.removeFirst(size)
        return Value(littleEndian: value)
    }

    mutating func bytes() -> ArraySlice<UInt8>? {
        guard let count = number(UInt64.self), count <= rest.count else { return nil }
        defer { rest.removeFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    mutating func text() -> String? {
        bytes().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func texts() -> [String]? {
        guard let count = number(UInt64.self), count <= rest.count else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }
}
