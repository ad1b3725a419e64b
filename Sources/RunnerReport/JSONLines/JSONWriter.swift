/// Writes JSON (RFC 8259) straight into bytes, keys in the order in which they are given.
///
/// Every value comes from a type that JSON can hold, so nothing can fail.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether a comma has to stand before the next key or element.
    private var needsComma = false

    init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: Structure

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func array<Element>(
        of elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for element in elements { write(&self, element) }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of the member whose value comes next; it needs no escape.
    mutating func key(_ name: StaticString) {
        write(name, atMost: 0) { _ in }
        needsComma = false
    }

    /// Ends a line of JSON lines.
    mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Lines that begin alike

    /// Writes the beginning of an object that was made before, up to where a value is to follow.
    mutating func beginning(_ text: [UInt8]) {
        bytes += text
        needsComma = false
    }

    /// Goes on behind a value with members that were made before, the comma before them included.
    mutating func members(_ text: [UInt8]) {
        bytes += text
        needsComma = true
    }

    /// Ends an object that ``beginning(_:)`` began.
    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Forgets what was written, and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    // MARK: Values

    mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if Self.needsEscape(value.utf8.span) {
            for byte in value.utf8 { escape(byte) }
        } else {
            bytes.append(contentsOf: value.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        bytes.append(addingCapacity: Self.longestNumber) { output in Self.write(value, to: &output) }
        needsComma = true
    }

    // MARK: Members that are left out when they have no value

    mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        let text = value.utf8.span
        guard !Self.needsEscape(text) else {
            key(name)
            return string(value)
        }
        write(name, atMost: text.count + 2) { output in
            output.append(UInt8(ascii: "\""))
            for index in text.indices { output.append(text[index]) }
            output.append(UInt8(ascii: "\""))
        }
    }

    mutating func member(_ name: StaticString, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        write(name, atMost: Self.longestNumber) { output in Self.write(value, to: &output) }
    }

    /// A duration in milliseconds, to the microsecond: `12.5`.
    mutating func member(_ name: StaticString, _ value: Duration?) {
        guard let value else { return }
        write(name, atMost: Self.longestNumber) { output in Self.write(milliseconds: value, to: &output) }
    }

    /// Writes a member that says `true`; where it would say `false` it is left out.
    mutating func flag(_ name: StaticString) {
        key(name)
        bytes += "true".utf8
        needsComma = true
    }

    // MARK: Pieces

    /// Sign, digits and point of the longest number.
    private static let longestNumber = 24

    /// Writes a member in one piece, for which there is room once its name and so many bytes more fit.
    private mutating func write(
        _ name: StaticString, atMost count: Int, _ value: (inout OutputSpan<UInt8>) -> Void
    ) {
        let hasComma = needsComma
        name.withUTF8Buffer { name in
            bytes.append(addingCapacity: name.count + 4 + count) { output in
                if hasComma { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                for byte in name { output.append(byte) }
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
                value(&output)
            }
        }
        needsComma = true
    }

    private static func write(_ value: some FixedWidthInteger, to output: inout OutputSpan<UInt8>) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        write(digits: UInt64(value.magnitude), to: &output)
    }

    /// Digits without a text in between, which would cost several times as much.
    private static func write(digits value: UInt64, to output: inout OutputSpan<UInt8>) {
        // As many as the largest value has, the last one first.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var count = 0
        var rest = value
        repeat {
            digits[count] = digit(rest % 10)
            count += 1
            rest /= 10
        } while rest > 0
        while count > 0 {
            count -= 1
            output.append(digits[count])
        }
    }

    private static func write(milliseconds value: Duration, to output: inout OutputSpan<UInt8>) {
        let (seconds, attoseconds) = value.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        let microseconds = overflow || overflowToo ? (seconds < 0 ? Int64.min : .max) : sum
        let (whole, part) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        if microseconds < 0 { output.append(UInt8(ascii: "-")) }
        write(digits: whole, to: &output)
        guard part > 0 else { return }
        output.append(UInt8(ascii: "."))
        output.append(digit(part / 100))
        if part % 100 > 0 { output.append(digit(part / 10 % 10)) }
        if part % 10 > 0 { output.append(digit(part % 10)) }
    }

    private static func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value) }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Looks at the bytes in place, eight at once: that is many times as fast as to iterate over the view.
    private static func needsEscape(_ text: Span<UInt8>) -> Bool {
        let bytes = text.bytes
        var index = 0
        while index + 8 <= bytes.byteCount {
            if needsEscape(bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)) { return true }
            index += 8
        }
        while index < text.count {
            if needsEscape(text[index]) { return true }
            index += 1
        }
        return false
    }

    /// Whether one of eight bytes needs an escape: by the test for a byte that is less than a given one, or null, in
    /// "Bit Twiddling Hacks" by Sean Eron Anderson.
    @inline(__always)
    private static func needsEscape(_ bytes: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let slashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (bytes &- ones &* 0x20) & ~bytes
        let found = controls | (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
        return found & (ones &* 0x80) != 0
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard Self.needsEscape(byte) else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes += "u00".utf8
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes += String(byte & 15, radix: 16).utf8
        }
    }
}
