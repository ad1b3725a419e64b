internal import LibArchive
internal import LibZ
internal import RunnerJob

/// An archive that is being read: how its content is come by, and errors as this package has them.
struct ArchiveSource {
    enum Content {
        case archive
        /// One compressed file, to be named so.
        case file(String)
    }

    let content: Content
    let reader: ArchiveReader
    /// The archive within its layer of compression; nil when it has none.
    var layer: (any ArchiveInput)?
    /// Whether it is the zip archive that begins with an entry.
    var mustHoldEntries = false
    /// What takes the outermost layer off, and the file that this lies in; nil where libarchive takes none off.
    private var outermost: (reader: ArchiveReader, file: ArchiveFile)?

    /// Everything but what is told apart by no content.
    private static let formats = Set(ArchiveFormat.allCases).subtracting([.empty, .raw, .zipStream])
    /// Of a compressed file, which may have no byte.
    private static let content: Set<ArchiveFormat> = [.empty, .raw]
    private static let filters = Set(ArchiveFilter.allCases)
    /// Members that ar keeps for itself: the symbols of a library, and the names that are too long (ar(5)).
    private static let tablesOfAr = Set(["/", "//", "/SYM64/"].map { Array($0.utf8) })

    static func open(_ file: ArchiveFile, _ extraction: Extraction) throws(ExtractionError) -> Self {
        let start = try attempt(nil) { try file.start(4) }
        if start.isEmpty { throw .notAnArchive(text: "the file is empty") }
        if let compressed = CompressedSuffix.of(extraction.archive) {
            return try open(file, start, compressed.filter, suffix: compressed.suffix, inner: compressed.inner)
        }
        if UnpackedGzip.isGzip(start) {
            return try archive(in: try attempt(nil) { try UnpackedGzip(file) })
        }
        let layers = try attempt(nil) { () throws in
            let reader = try ArchiveReader(file, formats: [.raw], filters: filters)
            _ = try reader.next()
            return reader.layers
        }
        file.seek(to: 0)
        if layers > 0 {
            let reader = try attempt(nil) { try ArchiveReader(file, formats: [.raw], filters: filters) }
            var source = try archive(in: UnpackedLayers(reader))
            source.outermost = (reader, file)
            return source
        }
        // A zip archive without an entry is its end alone, in which libarchive finds no directory.
        let isEmptyZip = start == [0x50, 0x4B, 0x05, 0x06]
        if start == [0x50, 0x4B, 0x03, 0x04] { try attempt(nil) { try file.leaveOutZipComment() } }
        let reader: ArchiveReader
        do throws(ExtractionError) {
            reader = try begin {
                try ArchiveReader(
                    file, formats: isEmptyZip ? [.zipStream] : formats, filters: [], password: extraction.password)
            }
        } catch .notAnArchive where start == [0x50, 0x4B, 0x03, 0x04] || start == [0x50, 0x4B, 0x07, 0x08] {
            throw .damaged(
                entry: nil,
                text: "the directory that ends a zip archive is not there; it was cut short, or is one part of several")
        }
        var source = Self(content: .archive, reader: reader)
        source.mustHoldEntries = start == [0x50, 0x4B, 0x03, 0x04]
        return source
    }

    private static func archive(in layer: any ArchiveInput) throws(ExtractionError) -> Self {
        Self(
            content: .archive, reader: try begin { try ArchiveReader(layer, formats: formats, filters: filters) },
            layer: layer)
    }

    /// One layer is taken off and no more, since what the name promises is a file that may be compressed again.
    private static func open(
        _ file: ArchiveFile, _ start: [UInt8], _ filter: ArchiveFilter, suffix: String, inner: String
    ) throws(ExtractionError) -> Self {
        if filter == .gzip {
            guard UnpackedGzip.isGzip(start) else { throw .notCompressed(suffix: suffix) }
            let layer = try attempt(nil) { try UnpackedGzip(file) }
            let reader = try begin { try ArchiveReader(layer, formats: Self.content, filters: []) }
            return Self(content: .file(inner), reader: reader, layer: layer)
        }
        let probe = try attempt(nil) { try ArchiveReader(file, formats: Self.content, filters: [filter]) }
        guard probe.layers > 0 else { throw .notCompressed(suffix: suffix) }
        file.seek(to: 0)
        let reader = try begin { try ArchiveReader(file, formats: Self.content, layer: filter) }
        return Self(content: .file(inner), reader: reader, outermost: (reader, file))
    }

    // MARK: - Reading

    var isZip: Bool { reader.format == .zip }
    /// Tar has files with holes, of which the last may end the file.
    var mayHaveHoles: Bool { reader.format == .tar }

    func next() throws(ExtractionError) -> ArchiveEntry? {
        do throws(ArchiveError) {
            while let entry = try reader.next() {
                if reader.format != .ar || !Self.tablesOfAr.contains(entry.name) { return entry }
            }
            return nil
        } catch {
            if case .failed = error, reader.hasMetEncryption, !isZip { throw .notDecrypted(entry: nil) }
            throw Self.fault(error, nil)
        }
    }

    func readPiece(of entry: ArchiveEntry, _ path: [UInt8]) throws(ExtractionError) -> (UnsafeRawBufferPointer, Int64)?
    {
        do throws(ArchiveError) {
            return try reader.readPiece().map { ($0.bytes, $0.offset) }
        } catch {
            let name = EntryName.text(path)
            if entry.isEncrypted, case .failed = error {
                // libarchive decrypts nothing else.
                guard isZip else { throw .notDecrypted(entry: name) }
                throw reader.hasPassword ? .passwordWrong(entry: name) : .passwordMissing(entry: name)
            }
            throw Self.fault(error, name)
        }
    }

    /// Fails where compressed data that was read to its end is followed by what is neither more of it nor padding.
    ///
    /// Libarchive passes over that, and so over all that lies behind a flaw in the first bytes of a further stream.
    func verifyEnd() throws(ExtractionError) {
        guard let (reader, file) = outermost, let filter = reader.outermostLayer, filter.marksItsEnd else { return }
        let end = reader.consumed
        file.seek(to: end)
        while true {
            let rest = try Self.attempt(nil) { try file.read() }
            if rest.isEmpty { return }
            guard rest.allSatisfy({ $0 == 0 }) else {
                throw .damaged(entry: nil, text: "what follows its first \(end) bytes is no \(filter.rawValue) data")
            }
        }
    }

    /// Runs what begins to read: a refusal means that the content is not of a known format.
    private static func begin(_ body: () throws -> ArchiveReader) throws(ExtractionError) -> ArchiveReader {
        do {
            return try body()
        } catch ArchiveError.failed(_, _, let text) {
            throw .notAnArchive(text: text)
        } catch {
            throw fault(error, nil)
        }
    }

    /// Runs a part of the reading.
    static func attempt<Result>(_ entry: String?, _ body: () throws -> Result) throws(ExtractionError) -> Result {
        do {
            return try body()
        } catch {
            throw fault(error, entry)
        }
    }

    private static func fault(_ error: any Error, _ entry: String?) -> ExtractionError {
        switch error {
        case let error as ExtractionError: error
        case ArchiveError.stream(let cause): fault(cause, entry)
        case ArchiveError.failed(_, _, let text) where text.contains("nsupported") || text.contains("not supported"):
            .notSupported(entry: entry, text: text)
        case ArchiveError.failed(_, _, let text): .damaged(entry: entry, text: text)
        case GzipError.cutShort: .damaged(entry: entry, text: "the gzip data is cut short")
        case GzipError.damaged(_, let text): .damaged(entry: entry, text: "the gzip data is damaged: \(text)")
        default: .damaged(entry: entry, text: "\(error)")
        }
    }
}
