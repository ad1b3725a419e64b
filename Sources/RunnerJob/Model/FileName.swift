/// Names of single files, made from texts of elsewhere.
package enum FileName {
    /// Bytes that Linux file systems take.
    package static let ceiling = 255

    /// Resolves percent escapes; nil where the result is no UTF-8 or no safe name.
    static func decoded(_ encoded: String) -> String? {
        guard let name = String(validating: PercentEncoding.decode(encoded.utf8), as: UTF8.self) else { return nil }
        if name == "." || name == ".." || name.holds(UInt8(ascii: "/")) { return nil }
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) }
        return isPlain ? name : nil
    }

    /// What stands before the suffix of a name, and the suffix with its dot; a compressed tar has one of two parts.
    static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return (name, "") }
        let stem = String(name[..<dot]), suffix = String(name[dot...])
        guard stem.lowercased().hasSuffix(".tar"), stem.utf8.count > 4 else { return (stem, suffix) }
        return (String(stem.dropLast(4)), String(stem.suffix(4)) + suffix)
    }

    /// Cuts a name to ``ceiling`` bytes between two characters; a suffix of at most 32 bytes is kept.
    package static func cut(_ name: String) -> String {
        guard name.utf8.count > ceiling else { return name }
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        let suffix = dot.map { name[$0...] }.flatMap { $0.utf8.count <= 32 ? $0 : nil } ?? ""
        var stem = ""
        var room = ceiling - suffix.utf8.count
        for scalar in name.dropLast(suffix.count).unicodeScalars {
            room -= scalar.utf8.count
            if room < 0 { break }
            stem.unicodeScalars.append(scalar)
        }
        return stem + suffix
    }
}
