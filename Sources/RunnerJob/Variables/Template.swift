/// A text with `${…}` in it, taken apart.
struct Template {
    var pieces: [Piece]

    enum Piece {
        case text(String)
        /// What a reference names, and the offset of its `${` in Unicode scalars.
        case reference(Reference, offset: Int)
    }

    enum Reference {
        /// `${name}`, `${job.name}`
        case variable(String)
        /// `${env:NAME}`, `${env:NAME:-default}`
        case environment(String, fallback: Template?)
        /// `${secret:NAME}`
        case secret(String)
        /// `${date:%F}`, `${date-1d:%F}`
        case date(DateShift, format: String)
    }

    /// A `${…}` that cannot be read.
    struct Fault: Error {
        /// Of its `${`, in Unicode scalars.
        var offset: Int
        var message: String
    }

    /// Levels of defaults inside defaults.
    private static let depthCeiling = 8

    static func parse(_ text: String) throws(Fault) -> Template {
        try Template(Array(text.unicodeScalars)[...], depth: 0)
    }

    private init(_ scalars: ArraySlice<Unicode.Scalar>, depth: Int) throws(Fault) {
        pieces = []
        var literal = String.UnicodeScalarView()
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let next = scalars[(index + 1)...].first
            if scalars[index] == "$", next == "$" {
                literal.append("$")
                index += 2
            } else if scalars[index] == "$", next == "{" {
                guard let end = Self.end(of: scalars, from: index), depth < Self.depthCeiling else {
                    throw Fault(
                        offset: index, message: "`${` is not closed by `}`; write `$${` where it is meant as text")
                }
                if !literal.isEmpty { pieces.append(.text(String(literal))) }
                literal = String.UnicodeScalarView()
                let reference = try Self.reference(scalars[(index + 2)..<end], offset: index, depth: depth)
                pieces.append(.reference(reference, offset: index))
                index = end + 1
            } else {
                literal.append(scalars[index])
                index += 1
            }
        }
        if !literal.isEmpty { pieces.append(.text(String(literal))) }
    }

    /// The `}` that belongs to the `${` at an index.
    private static func end(of scalars: ArraySlice<Unicode.Scalar>, from start: Int) -> Int? {
        var depth = 0
        var index = start
        while index < scalars.endIndex {
            if scalars[index] == "$", scalars[(index + 1)...].first == "{" {
                depth += 1
                index += 1
            } else if scalars[index] == "}" {
                depth -= 1
                if depth == 0 { return index }
            }
            index += 1
        }
        return nil
    }

    private static func reference(
        _ body: ArraySlice<Unicode.Scalar>, offset: Int, depth: Int
    ) throws(Fault) -> Reference {
        let text = String(String.UnicodeScalarView(body))
        if text.hasPrefix("env:") {
            return try environment(body.dropFirst(4), offset: offset, depth: depth)
        }
        if text.hasPrefix("secret:") {
            return .secret(try environmentName(text.dropFirst(7), offset: offset))
        }
        if text.hasPrefix("date:") || text.hasPrefix("date-") && text.contains(":") || text.hasPrefix("date+") {
            return try date(text.dropFirst(4), offset: offset)
        }
        guard text == "job.name" || isName(text) else {
            throw Fault(
                offset: offset,
                message:
                    "\(shown("${" + text + "}")) cannot be read; known are ${name}, ${env:NAME}, ${env:NAME:-default},"
                    + " ${secret:NAME}, ${date:%Y-%m-%d}, ${job.name}, and `$${` for the characters themselves")
        }
        return .variable(text)
    }

    private static func environment(
        _ body: ArraySlice<Unicode.Scalar>, offset: Int, depth: Int
    ) throws(Fault) -> Reference {
        guard let colon = body.firstIndex(of: ":") else {
            return .environment(
                try environmentName(Substring(String(String.UnicodeScalarView(body))), offset: offset), fallback: nil)
        }
        let name = try environmentName(Substring(String(String.UnicodeScalarView(body[..<colon]))), offset: offset)
        guard body[(colon + 1)...].first == "-" else {
            throw Fault(offset: offset, message: "a default is written ${env:\(name):-default}")
        }
        return .environment(name, fallback: try Template(body[(colon + 2)...], depth: depth + 1))
    }

    private static func environmentName(_ name: Substring, offset: Int) throws(Fault) -> String {
        let isName = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "_")
        }
        guard isName, !name.isEmpty else {
            throw Fault(
                offset: offset, message: "\(shown(String(name))) is no name of an environment variable")
        }
        return String(name)
    }

    private static func date(_ text: Substring, offset: Int) throws(Fault) -> Reference {
        let shift = text.prefix { $0 != ":" }
        let format = text.dropFirst(shift.count + 1)
        guard let shift = DateShift(shift) else {
            throw Fault(
                offset: offset,
                message:
                    "\(shown(String(shift))) is no shift of a date; write for instance ${date-1d:%Y-%m-%d} (units w, d, h, m, s)"
            )
        }
        guard !format.isEmpty else {
            throw Fault(offset: offset, message: "a date wants its form, such as ${date:%Y-%m-%d}")
        }
        return .date(shift, format: String(format))
    }

    /// Letters, digits, `_` and `-`, not beginning with a digit or `-`.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first | 0x20 >= UInt8(ascii: "a") || first == UInt8(ascii: "_") else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
    }
}
