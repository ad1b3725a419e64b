/// A name in a checksum list: bytes, since a list says nothing of their encoding.
struct ListedName: Hashable, Sendable {
    /// Without empty parts and without `.`, parted by single slashes.
    let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")

    init(_ name: ArraySlice<UInt8>) {
        let parts = name.split(separator: Self.slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
        bytes = Array(parts.joined(separator: [Self.slash]))
    }

    var partCount: Int { bytes.isEmpty ? 0 : bytes.count { $0 == Self.slash } + 1 }

    var lastPart: ArraySlice<UInt8> {
        bytes.lastIndex(of: Self.slash).map { bytes[($0 + 1)...] } ?? bytes[...]
    }

    /// Whether the last parts of this name are the other one.
    func ends(in other: ListedName) -> Bool {
        guard bytes.count > other.bytes.count else { return self == other }
        return bytes.suffix(other.bytes.count) == other.bytes[...]
            && bytes[bytes.count - other.bytes.count - 1] == Self.slash
    }
}

/// Finds the entries of a list by the last part of their names, which every way of matching has in common.
struct ListedNames: Sendable {
    /// The first entry of each hash of a last part, and for each entry the next one of the same hash; -1 for none.
    private var first: [Int: Int32] = [:]
    private var next: [Int32]

    init(_ names: [ListedName?]) {
        next = Array(repeating: -1, count: names.count)
        // From the end, so that each chain comes out in the order of the list.
        for (index, name) in names.enumerated().reversed() {
            guard let name else { continue }
            let key = name.lastPart.hashValue
            next[index] = first[key] ?? -1
            first[key] = Int32(clamping: index)
        }
    }

    /// Positions of all entries that may have this last part, and of few others.
    func candidates(for name: ListedName) -> [Int] {
        var found: [Int] = []
        var index = first[name.lastPart.hashValue] ?? -1
        while index >= 0 {
            found.append(Int(index))
            index = next[Int(index)]
        }
        return found
    }
}
