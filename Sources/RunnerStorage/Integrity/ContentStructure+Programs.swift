extension ContentStructure {
    /// Members of a Debian package: its version, what controls it, its files, and room for a few more (deb(5)).
    private static let debMembers = 3...16

    /// Steps over the members of an ar archive by the sizes in their headers (ar(5)).
    static func debFlaw(_ file: some ReadableFile) throws(StorageError) -> Flaw? {
        var offset: Int64 = 8
        var members = 0
        while offset < file.length {
            let header = try bytes(60, of: file, at: offset)
            guard header.count == 60, header[58...].elementsEqual([0x60, 0x0a]),
                let size = Int64(String(decoding: header[48..<58], as: UTF8.self).prefix { $0 != " " }), size >= 0
            else { return .noEnd }
            members += 1
            if offset + 60 + size > file.length { return .endsEarly(declared: offset + 60 + size) }
            // A member of an odd size has one byte more behind it.
            offset += 60 + size + size % 2
            if members == debMembers.upperBound { return nil }
        }
        return members < debMembers.lowerBound ? .noEnd : nil
    }

    /// Where the table of sections ends, which linkers write last; nil where there is none (elf(5)).
    static func elfLength(_ start: [UInt8]) -> Int64? {
        guard start.count >= 64 else { return 64 }
        let isLarge = start[4] == 2, isLittleEndian = start[5] == 1
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            let bytes = start[offset..<(offset + count)]
            let digits = isLittleEndian ? Array(bytes.reversed()) : Array(bytes)
            return digits.reduce(0) { $0 << 8 | UInt64($1) }
        }
        let offset = isLarge ? number(0x28, 8) : number(0x20, 4)
        let table = isLarge ? number(0x3a, 2) * number(0x3c, 2) : number(0x2e, 2) * number(0x30, 2)
        guard offset > 0, offset < UInt64(Int64.max) - table else { return nil }
        return Int64(offset + table)
    }
}
