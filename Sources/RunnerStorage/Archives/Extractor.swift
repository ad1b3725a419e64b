internal import Glibc
internal import LibArchive
internal import RunnerJob

/// Unpacks one archive into a folder that nobody else writes to.
///
/// Belongs to one thread.
struct Extractor {
    let extraction: Extraction
    /// Length of the archive.
    let length: Int64
    let tree: TreeWriter
    let isCancelled: () -> Bool
    private let filter: EntryFilter
    private var entries: Int64 = 0
    private var bytes: Int64 = 0
    /// Entries that are no folders.
    private var files: Int64 = 0
    /// Whether something of the archive is wanted.
    private var isAnythingLeft = false

    init(_ extraction: Extraction, length: Int64, into tree: TreeWriter, isCancelled: @escaping () -> Bool) {
        self.extraction = extraction
        self.length = length
        self.tree = tree
        self.isCancelled = isCancelled
        filter = EntryFilter(extraction.selection)
    }

    /// - Returns: bytes of all files.
    mutating func unpack(_ file: ArchiveFile) throws(ExtractionError) -> Int64 {
        let source = try ArchiveSource.open(file, extraction)
        switch source.content {
        case .archive: try unpackEntries(of: source)
        case .file(let name): try unpackFile(source, name)
        }
        try verifyRest(of: source)
        try tree.finish()
        return bytes
    }

    // MARK: - Entries

    private mutating func unpackEntries(of source: ArchiveSource) throws(ExtractionError) {
        let reader = source.reader
        var end: Int64 = 0
        while let entry = try source.next() {
            if isCancelled() { throw .cancelled }
            let name = source.isZip ? EntryName.ofZip(entry.name) : entry.name
            entries += 1
            guard entries <= extraction.limits.entries else { throw .tooMuch(.entries(extraction.limits.entries)) }
            // In the order of their places in the file, entries begin where the one before has ended, or later.
            if source.isZip, reader.position < end { throw .overlaps(entry: EntryName.text(name)) }
            try unpack(entry, EntryName(name), source)
            end = reader.position
        }
        if entries == 0, source.mustHoldEntries {
            throw .damaged(entry: nil, text: "its directory names none of the entries that it holds")
        }
        try checkSelection()
    }

    /// A pattern that fits nothing was meant for other names, and a folder without any is not what was asked for.
    private func checkSelection() throws(ExtractionError) {
        guard files > 0, !isAnythingLeft, extraction.strip > 0 || !extraction.selection.include.isEmpty else { return }
        throw .nothingLeft(of: files)
    }

    private mutating func unpack(
        _ entry: ArchiveEntry, _ name: EntryName, _ source: ArchiveSource
    ) throws(ExtractionError) {
        if entry.kind != .folder { files += 1 }
        guard filter.matches(name.path) else { return }
        guard let path = try name.path(strip: extraction.strip) else {
            // The folder itself, as tar has it, or what `strip` leaves nothing of.
            guard name.parts.isEmpty, entry.kind != .folder else { return }
            throw .unsafe(.noName, entry: "number \(entries)")
        }
        isAnythingLeft = true
        switch entry.kind {
        case .folder: try tree.makeFolder(path, mode: entry.mode, modified: entry.modified)
        case .link(let target): try tree.addLink(path, to: target)
        case .special: throw .unsafe(.special, entry: EntryName.text(path))
        case .hardLink(let target):
            guard let other = try EntryName(target).path(strip: extraction.strip) else {
                throw .unsafe(.linkToNothing(target: EntryName.text(target)), entry: EntryName.text(path))
            }
            try tree.makeHardLink(path, to: other)
            guard let size = entry.size, size > 0 else { return }
            // In cpio the last name of a file brings its content.
            try tree.reopen(path) { (file) throws(ExtractionError) in
                try fill(file, path, entry, source)
            }
        case .file:
            try tree.makeFile(path, mode: entry.mode, modified: entry.modified) { (file) throws(ExtractionError) in
                try fill(file, path, entry, source)
            }
        }
    }

    /// Writes an entry's content into a file that is open.
    private mutating func fill(
        _ file: Int32, _ path: [UInt8], _ entry: ArchiveEntry, _ source: ArchiveSource
    ) throws(ExtractionError) {
        // What the archive says of itself is believed where it says too much.
        if let size = entry.size { try checkCeilings(adding: size) }
        var length: Int64 = 0
        var written: Int64 = 0
        while let (piece, offset) = try source.readPiece(of: entry, path) {
            if isCancelled() { throw .cancelled }
            let (end, overflow) = offset.addingReportingOverflow(Int64(piece.count))
            if let size = entry.size, overflow || end > size {
                throw .wrongSize(entry: EntryName.text(path), said: size)
            }
            guard !overflow, offset >= length else {
                throw .damaged(entry: EntryName.text(path), text: "its content lies in the wrong order")
            }
            try checkCeilings(adding: end)
            try write(piece, to: file, at: offset, path)
            length = end
            written += Int64(piece.count)
        }
        let size = entry.size ?? length
        // Only what has holes ends in one; anything else was cut short, and libarchive has told so.
        if size > length {
            guard source.mayHaveHoles else { throw .wrongSize(entry: EntryName.text(path), said: size) }
            guard ftruncate(file, off_t(size)) == 0 else {
                throw tree.failure(SystemError(errno), .truncate, path)
            }
        }
        bytes += size
    }

    private func write(
        _ piece: UnsafeRawBufferPointer, to file: Int32, at offset: Int64, _ path: [UInt8]
    ) throws(ExtractionError) {
        var done = 0
        while done < piece.count {
            do throws(SystemError) {
                done += try repeating {
                    pwrite(file, piece.baseAddress?.advanced(by: done), piece.count - done, off_t(offset) + off_t(done))
                }
            } catch {
                throw tree.failure(error, .write, path)
            }
        }
    }

    private func checkCeilings(adding more: Int64) throws(ExtractionError) {
        let limits = extraction.limits
        let (sum, overflow) = bytes.addingReportingOverflow(more)
        guard !overflow, sum <= limits.bytes else { throw .tooMuch(.bytes(limits.bytes)) }
        guard sum > Extraction.Limits.ratioFloor else { return }
        let (most, isBeyond) = max(length, 1).multipliedReportingOverflow(by: limits.ratio)
        guard isBeyond || sum <= most else { throw .tooMuch(.ratio(limits.ratio)) }
    }

    // MARK: - Single files, and what lies behind the end

    private mutating func unpackFile(_ source: ArchiveSource, _ name: String) throws(ExtractionError) {
        let path = Array(name.utf8)
        files = 1
        isAnythingLeft = filter.matches(path)
        try checkSelection()
        guard isAnythingLeft else { return }
        let entry = try source.next() ?? ArchiveEntry(name: path, kind: .file, size: 0, mode: 0o666)
        let isEmpty = entry.size == 0
        try tree.makeFile(path, mode: 0o666, modified: nil) { (file) throws(ExtractionError) in
            if !isEmpty { try fill(file, path, ArchiveEntry(name: path, kind: .file, mode: 0o666), source) }
        }
    }

    /// Reads what follows the archive within its layer of compression, so that the layer's own check is made.
    private func verifyRest(of source: ArchiveSource) throws(ExtractionError) {
        if let layer = source.layer {
            var rest: Int64 = 0
            while case let count = try ArchiveSource.attempt(nil, { try layer.read().count }), count > 0 {
                rest += Int64(count)
                try checkCeilings(adding: rest)
            }
        } else if !isAnythingLeft {
            // A single file that nobody wants was not read.
            return
        }
        try source.verifyEnd()
    }
}
