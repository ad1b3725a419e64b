/// Why a text is no size or duration; the words go on from the quoted text.
package enum QuantityFault: Error, Hashable, Sendable, CustomStringConvertible {
    case noNumber
    case fraction
    case noUnit(example: String)
    case unknownUnit(String, known: String)
    /// Units that are repeated or do not get smaller.
    case unitOrder
    case tooLarge

    package var description: String {
        switch self {
        case .noNumber: "does not begin with a whole number"
        case .fraction: "has a fraction; use a smaller unit"
        case .noUnit(let example): "has no unit; write for instance \(example)"
        case .unknownUnit(let unit, let known): "has the unknown unit \(shown(unit)); known are \(known)"
        case .unitOrder: "has its units in the wrong order; the larger one comes first, each once"
        case .tooLarge: "is too large"
        }
    }
}

/// Takes a leading whole number and the unit behind it off a text.
private func takeQuantity(_ rest: inout ArraySlice<UInt8>) throws(QuantityFault) -> (number: Int64, unit: String) {
    let isDigit: (UInt8) -> Bool = { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let digits = rest.prefix(while: isDigit)
    if digits.isEmpty { throw .noNumber }
    guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw .tooLarge }
    rest = rest.dropFirst(digits.count)
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") { throw .fraction }
    let unit = rest.prefix { !isDigit($0) }
    rest = rest.dropFirst(unit.count)
    return (number, String(decoding: unit, as: UTF8.self))
}

/// Sizes as a person writes them: `512`, `10MB` (powers of 1000), `64KiB` (powers of 1024).
package enum SizeText {
    private static let units: [String: Int64] = [
        "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
        "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]

    /// Bytes; one blank may stand before the unit, and its case does not matter.
    package static func parse(_ text: String) throws(QuantityFault) -> Int64 {
        var rest = Array(text.utf8)[...]
        let (number, written) = try takeQuantity(&rest)
        let unit = written.hasPrefix(" ") ? written.dropFirst() : written[...]
        guard rest.isEmpty, let factor = units[unit.lowercased()] else {
            throw .unknownUnit(
                unit + String(decoding: rest, as: UTF8.self), known: "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB")
        }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: factor)
        if overflows { throw .tooLarge }
        return bytes
    }
}

extension SizeText {
    /// The shortest way to write exactly so many bytes, such as `10MiB`, `500kB` or `1234`.
    package static func exact(_ bytes: Int64) -> String {
        for (unit, name) in [(Int64(1) << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] {
            if bytes >= unit, bytes % unit == 0 { return "\(bytes / unit)\(name)" }
        }
        for (unit, name) in [(Int64(1_000_000_000), "GB"), (1_000_000, "MB"), (1000, "kB")] {
            if bytes >= unit, bytes % unit == 0 { return "\(bytes / unit)\(name)" }
        }
        return String(bytes)
    }
}

/// Durations as a person writes them: `300ms`, `1h30m`, `2d`; a unit is always needed.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]
    /// A hundred years and a bit.
    private static let ceiling: Int64 = 36_600 * 86_400_000

    static func parse(_ text: String) throws(QuantityFault) -> Duration {
        var rest = Array(text.utf8)[...]
        var total: Int64 = 0
        var used = 0
        repeat {
            let (number, unit) = try takeQuantity(&rest)
            if unit.isEmpty { throw .noUnit(example: "\(number)s or \(number)m") }
            guard let index = units.firstIndex(where: { $0.name == unit }) else {
                throw .unknownUnit(unit, known: "ms, s, m, h, d")
            }
            if index < used { throw .unitOrder }
            used = index + 1
            let (part, overflows) = number.multipliedReportingOverflow(by: units[index].milliseconds)
            if overflows || part > ceiling - total { throw .tooLarge }
            total += part
        } while !rest.isEmpty
        return .milliseconds(total)
    }
}
