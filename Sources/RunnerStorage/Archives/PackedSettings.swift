internal import LibArchive
internal import RunnerJob

/// How libarchive is set for an archive, so that the same input makes the same bytes on every machine.
struct PackedSettings {
    private let creation: ArchiveCreation
    private let namesAreUnicode: Bool

    init(_ creation: ArchiveCreation, namesAreUnicode: Bool) {
        self.creation = creation
        self.namesAreUnicode = namesAreUnicode
    }

    /// A writer that is ready for the first entry.
    func writer(to output: any ArchiveOutput) throws(ArchiveError) -> ArchiveWriter {
        let writer: ArchiveWriter
        switch creation.format {
        case .zip:
            writer = try ArchiveWriter(output, format: .zip, filter: nil)
            try set(zip: writer)
        case .sevenZip:
            writer = try ArchiveWriter(output, format: .sevenZip, filter: nil)
            if let level { try writer.setFormatOption("compression-level", level) }
        case .tar: writer = try tar(output, nil)
        case .tarGzip:
            writer = try tar(output, .gzip)
            // Else the header would hold the time at which it is written (RFC 1952, MTIME).
            try writer.setFilterOption("timestamp", nil)
        case .tarBzip2: writer = try tar(output, .bzip2)
        // Both make other bytes with several threads than with one, and the same with any number of several.
        case .tarXZ:
            writer = try tar(output, .xz)
            try writer.setFilterOption("threads", "\(max(2, creation.threads ?? 2))")
        case .tarZstd:
            writer = try tar(output, .zstd)
            try writer.setFilterOption("threads", "\(max(1, creation.threads ?? 1))")
        }
        try writer.open()
        return writer
    }

    private var level: String? { creation.level.map { "\($0)" } }

    private func tar(_ output: any ArchiveOutput, _ filter: ArchiveWriter.Filter?) throws(ArchiveError) -> ArchiveWriter
    {
        let writer = try ArchiveWriter(output, format: .tar, filter: filter)
        // Names that are not UTF-8 are kept as they are, and said to be so (pax(1), hdrcharset).
        if !namesAreUnicode { try writer.setFormatOption("hdrcharset", "BINARY") }
        if let level, filter != nil { try writer.setFilterOption("compression-level", level) }
        return writer
    }

    private func set(zip writer: ArchiveWriter) throws(ArchiveError) {
        try writer.setFormatOption("hdrcharset", "UTF-8")
        if creation.level == 0 {
            try writer.setFormatOption("compression", "store")
        } else {
            try writer.setFormatOption("compression", "deflate")
            if let level { try writer.setFormatOption("compression-level", level) }
        }
        if let password = creation.password {
            try writer.setPassword(password)
            try writer.setFormatOption("encryption", "aes256")
        }
    }
}
