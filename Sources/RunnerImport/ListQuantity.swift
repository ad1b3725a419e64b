/// Numbers as download programs write them.
enum ListQuantity {
    /// A whole number that is not below zero.
    static func number(_ text: String) -> Int? {
        guard let value = Int(text), value >= 0 else { return nil }
        return value
    }

    /// Bytes; `K`, `M`, `G`, `T` and `P` in either case are powers of 1024 there.
    static func bytes(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        guard let value = Int64(unit == nil ? text : String(text.dropLast())), value >= 0 else { return nil }
        let (bytes, overflow) = value.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : bytes
    }

    /// Milliseconds of a number of seconds, which may have a fraction; nil beyond a hundred years.
    static func seconds(_ text: String) -> Int64? {
        guard let value = Double(text), value >= 0, value < 3_000_000_000, !text.lowercased().contains("x") else {
            return nil
        }
        return Int64((value * 1000).rounded())
    }
}
