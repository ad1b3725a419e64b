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
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Ends a line of JSON lines.
    mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values

    mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if Self.needsEscape(value) {
            for byte in value.utf8 { escape(byte) }
        } else {
            bytes.append(contentsOf: value.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(UInt64(value.magnitude))
        needsComma = true
    }

    /// Digits without a text in between, which would cost several times as much.
    private mutating func digits(_ value: UInt64) {
        var place: UInt64 = 1
        while value / place >= 10 { place *= 10 }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / place % 10))
            place /= 10
        }
    }

    /// A duration in milliseconds, to the microsecond: `12.5`.
    mutating func milliseconds(_ value: Duration) {
        separate()
        let (seconds, attoseconds) = value.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        let microseconds = overflow || overflowToo ? (seconds < 0 ? Int64.min : .max) : sum
        let (whole, part) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        if microseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(whole)
        if part > 0 {
            bytes.append(UInt8(ascii: "."))
            for digit in [part / 100, part / 10 % 10, part % 10] { bytes.append(UInt8(ascii: "0") + UInt8(digit)) }
            while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        }
        needsComma = true
    }

    // MARK: Members that are left out when they have no value

    mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    mutating func member(_ name: StaticString, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    mutating func member(_ name: StaticString, _ value: Duration?) {
        guard let value else { return }
        key(name)
        milliseconds(value)
    }

    /// Writes a member that says `true`; where it would say `false` it is left out.
    mutating func flag(_ name: StaticString) {
        key(name)
        bytes += "true".utf8
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Looks at the bytes in place: that is several times as fast as to iterate over the view.
    private static func needsEscape(_ value: String) -> Bool {
        let bytes = value.utf8.span
        for index in bytes.indices where needsEscape(bytes[index]) { return true }
        return false
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
