/// A text with `${…}` in it, taken apart.
struct Template {
    var pieces: [Piece]

    enum Piece {
        case text(String)
        /// What a reference names, and the offset of its `${` in bytes.
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
        /// Of its `${`, in bytes.
        var offset: Int
        var message: String
    }

    /// Levels of defaults inside defaults.
    private static let depthCeiling = 8

    static func parse(_ text: String) throws(Fault) -> Template {
        try Template(Array(text.utf8)[...], depth: 0)
    }

    private init(_ bytes: ArraySlice<UInt8>, depth: Int) throws(Fault) {
        pieces = []
        var literal: [UInt8] = []
        var rest = bytes
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            literal += rest[..<dollar]
            let next = dollar + 1 < rest.endIndex ? rest[dollar + 1] : 0
            if next == UInt8(ascii: "{") {
                guard let end = Self.end(of: rest, from: dollar), depth < Self.depthCeiling else {
                    throw Fault(
                        offset: dollar, message: "`${` is not closed by `}`; write `$${` where it is meant as text")
                }
                if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
                literal = []
                let reference = try Self.reference(rest[(dollar + 2)..<end], offset: dollar, depth: depth)
                pieces.append(.reference(reference, offset: dollar))
                rest = rest[(end + 1)...]
            } else {
                // `$$` is one dollar, and so is a single one.
                literal.append(UInt8(ascii: "$"))
                rest = rest[(dollar + (next == UInt8(ascii: "$") ? 2 : 1))...]
            }
        }
        literal += rest
        if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
    }

    /// The `}` that belongs to the `${` at an index.
    private static func end(of bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var depth = 0
        var last: UInt8 = 0
        for index in start..<bytes.endIndex {
            if bytes[index] == UInt8(ascii: "{"), last == UInt8(ascii: "$") { depth += 1 }
            if bytes[index] == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return index }
            }
            last = bytes[index]
        }
        return nil
    }

    private static func reference(
        _ body: ArraySlice<UInt8>, offset: Int, depth: Int
    ) throws(Fault) -> Reference {
        let text = String(decoding: body, as: UTF8.self)
        if isName(text) { return .variable(text) }
        if text.hasPrefix("env:") {
            return try environment(body.dropFirst(4), offset: offset, depth: depth)
        }
        if text.hasPrefix("secret:") {
            let name = String(decoding: body.dropFirst(7), as: UTF8.self)
            guard isSecretName(name) else {
                throw Fault(
                    offset: offset,
                    message: "\(shown(name)) is no name of a secret; it takes letters, digits, `_` and `-`")
            }
            return .secret(name)
        }
        if text.hasPrefix("date:") || text.hasPrefix("date-") || text.hasPrefix("date+") {
            return try date(text.dropFirst(4), offset: offset)
        }
        guard text == Variables.nameOfJob else {
            throw Fault(
                offset: offset,
                message:
                    "\(shown("${" + text + "}")) cannot be read; known are ${name}, ${env:NAME}, ${env:NAME:-default},"
                    + " ${secret:NAME}, ${date:%Y-%m-%d}, ${job.name}, and `$${` for the characters themselves")
        }
        return .variable(text)
    }

    private static func environment(
        _ body: ArraySlice<UInt8>, offset: Int, depth: Int
    ) throws(Fault) -> Reference {
        guard let colon = body.firstIndex(of: UInt8(ascii: ":")) else {
            return .environment(try environmentName(body, offset: offset), fallback: nil)
        }
        let name = try environmentName(body[..<colon], offset: offset)
        guard body[(colon + 1)...].first == UInt8(ascii: "-") else {
            throw Fault(offset: offset, message: "a default is written ${env:\(name):-default}")
        }
        return .environment(name, fallback: try Template(body[(colon + 2)...], depth: depth + 1))
    }

    private static func environmentName(_ bytes: ArraySlice<UInt8>, offset: Int) throws(Fault) -> String {
        let name = String(decoding: bytes, as: UTF8.self)
        guard !bytes.isEmpty, bytes.allSatisfy({ isNameByte($0) && $0 != UInt8(ascii: "-") }) else {
            throw Fault(offset: offset, message: "\(shown(name)) is no name of an environment variable")
        }
        return name
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

    /// Letters, digits, `_` and `-`: as a file of that name is a plain one.
    static func isSecretName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isNameByte)
    }

    /// Letters, digits, `_` and `-`, not beginning with a digit or `-`.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first > UInt8(ascii: "9") else { return false }
        return text.utf8.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
