package import RunnerJob
internal import RunnerPlan

/// A list of digests such as `SHA256SUMS`: the forms of GNU, of BSD, of OpenSSL and of GnuPG, in hexadecimal or base64,
/// and Debian's Release files.
package struct ChecksumList: Sendable {
    /// Bytes of the longest list that is read.
    package static let longest = Planner.longestList

    /// The digest of one file.
    struct Entry: Hashable, Sendable {
        /// nil for a bare digest, and for `-`, which means what a pipe gave.
        var name: ListedName?
        var digest: Digest
    }

    let entries: [Entry]
    private let index: ListedNames
    /// Lines that are neither entries nor comments nor blank, counted from 1.
    package let unreadableLines: [Int]

    /// Reads a list.
    ///
    /// Lines that are no entries are passed over, as `sha256sum -c` does: signatures, comments, junk.
    ///
    /// - Parameters:
    ///   - bytes: the whole list.
    ///   - name: the list's own name: `B2SUMS` tells BLAKE2 from SHA-512, which are equally long.
    ///   - pins: what the list itself must hash to.
    /// - Throws: when not one line is an entry, or the list is not the one that was meant.
    package init(_ bytes: [UInt8], name: String = "", pins: [Digest] = []) throws(ChecksumListError) {
        if bytes.isEmpty { throw .empty }
        if bytes.count > Self.longest { throw .tooLong(bytes: bytes.count) }
        for pin in pins {
            let actual = try? DigestSet.digest(of: bytes, by: pin.algorithm)
            if actual != pin { throw .notPinned(pin, actual: actual) }
        }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { throw .utf16 }
        (entries, unreadableLines) = Self.entries(of: bytes, ChecksumLineParser(listName: name))
        if entries.isEmpty {
            if let page = HTMLPage(Array(bytes.prefix(ContentSignature.length))) { throw .page(title: page.title) }
            throw .noEntries(firstBytes: SafeText.of(bytes))
        }
        index = ListedNames(entries.map(\.name))
    }

    private static func entries(
        of bytes: [UInt8], _ parser: ChecksumLineParser
    ) -> (entries: [Entry], unreadableLines: [Int]) {
        var entries: [Entry] = []
        var unreadable: [Int] = []
        var blocks = ChecksumBlocks(parser)
        func add(_ entry: ChecksumBlocks.Entry?) {
            if let (name, digest) = entry { entries.append(Entry(name: name.map { ListedName($0) }, digest: digest)) }
        }
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            switch blocks.take(line) {
            case .part: continue
            case .entry(let entry):
                add(entry)
                continue
            case .other: add(blocks.end())
            }
            switch parser.parse(line) {
            case .entry(let name, let digest): add((name, digest))
            case .nothing: continue
            case .unreadable:
                if case .other = blocks.begin(line) { unreadable.append(index + 1) }
            }
        }
        add(blocks.end())
        return (entries, unreadable)
    }

    /// The digests of the file at a path of the job.
    ///
    /// An entry belongs to it whose name is the path; else one whose name of several parts the path ends in, or else the
    /// path that the file had where it came from; else one with the same last part; else the same by the name that the
    /// file had there. The only entry of a list that names nothing belongs to every file.
    ///
    /// - Parameter source: the path of the file's URL, decoded, or the end of it.
    /// - Returns: one digest for each algorithm of its entries, never none.
    /// - Throws: when no entry belongs to the file, or two of one algorithm do and differ.
    package func digests(for path: TargetPath, from source: String? = nil) throws(ChecksumListError) -> [Digest] {
        if let only = entries.first, entries.count == 1, only.name == nil { return [only.digest] }
        let wanted = ListedName(Array(path.text.utf8)[...])
        let there = source.map { ListedName(Array($0.utf8)[...]) }
        var matches = nearest(wanted)
        if matches.isEmpty, let there { matches = inFolders(there) }
        if matches.isEmpty { matches = namesakes(wanted) }
        if matches.isEmpty, let there { matches = namesakes(there) }
        if matches.isEmpty {
            let first = entries.prefix(3).compactMap { $0.name.map { SafeText.of($0.bytes, limit: 60) } }
            throw .noEntry(name: path.text, entries: entries.count, first: first, unreadableLines: unreadableLines)
        }
        var found: [Digest] = []
        for digest in matches where !found.contains(digest) {
            if let other = found.first(where: { $0.algorithm == digest.algorithm }) {
                throw .contradiction(name: path.text, other, digest)
            }
            found.append(digest)
        }
        return found
    }

    private func named(like wanted: ListedName) -> [(name: ListedName, digest: Digest)] {
        index.candidates(for: wanted).compactMap { position in
            entries[position].name.map { (name: $0, digest: entries[position].digest) }
        }
    }

    private func nearest(_ wanted: ListedName) -> [Digest] {
        let same = named(like: wanted).filter { $0.name == wanted }
        return same.isEmpty ? inFolders(wanted) : same.map(\.digest)
    }

    /// Of the entries whose names have several parts that this name ends in, those with the most.
    private func inFolders(_ wanted: ListedName) -> [Digest] {
        let ends = named(like: wanted).filter { $0.name.partCount > 1 && wanted.ends(in: $0.name) }
        let longest = ends.map(\.name.partCount).max()
        return ends.filter { $0.name.partCount == longest }.map(\.digest)
    }

    private func namesakes(_ wanted: ListedName) -> [Digest] {
        named(like: wanted).filter { $0.name.lastPart == wanted.lastPart }.map(\.digest)
    }
}
