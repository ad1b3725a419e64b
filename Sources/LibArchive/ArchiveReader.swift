internal import CLibArchive
internal import LibLocale

/// Reads an archive entry by entry.
///
/// Belongs to one thread. Every call runs in a locale of UTF-8; see ``CharacterLocale``.
package final class ArchiveReader {
    private let archive: OpaquePointer
    // The C side has an unretained pointer to it; it is released after the handle is.
    private let context: InputContext
    /// Whether a password was given.
    package let hasPassword: Bool

    /// - Parameters:
    ///   - input: is read from its start.
    ///   - formats: in which the archive may be; told apart by content.
    ///   - filters: that may lie around it; told apart by content.
    ///   - password: for entries that need one.
    /// - Throws: when the content is in none of these.
    package convenience init(
        _ input: any ArchiveInput, formats: Set<ArchiveFormat>, filters: Set<ArchiveFilter>, password: String? = nil
    ) throws(ArchiveError) {
        try self.init(input, formats: formats, password: password)
        for filter in filters.sorted(by: { $0.rawValue < $1.rawValue }) {
            try check(filter.support(archive), "archive_read_support_filter_*")
        }
        try open(formats)
    }

    /// Takes one layer off, whatever the content looks like, and no more.
    package convenience init(
        _ input: any ArchiveInput, formats: Set<ArchiveFormat>, layer: ArchiveFilter
    ) throws(ArchiveError) {
        try self.init(input, formats: formats, password: nil)
        if layer == .compress {
            // This one reads as soon as it is appended, from a place that libarchive has not been told yet, and crashes.
            try check(layer.support(archive), "archive_read_support_filter_compress")
        } else {
            try check(archive_read_append_filter(archive, layer.code), "archive_read_append_filter")
        }
        try open(formats)
    }

    private init(
        _ input: any ArchiveInput, formats: Set<ArchiveFormat>, password: String?
    ) throws(ArchiveError) {
        guard CharacterLocale.isThere, let archive = archive_read_new() else {
            throw .failed(call: "archive_read_new", code: 0, text: "the system has no locale C.UTF-8, or no memory")
        }
        self.archive = archive
        context = InputContext(input)
        hasPassword = password != nil
        for format in ArchiveFormat.allCases where formats.contains(format) {
            try check(format.support(archive), "archive_read_support_format_*")
        }
        if let password { try check(archive_read_add_passphrase(archive, password), "archive_read_add_passphrase") }
    }

    deinit {
        CharacterLocale.run { _ = archive_read_free(archive) }
    }

    private func open(_ formats: Set<ArchiveFormat>) throws(ArchiveError) {
        let pointer = Unmanaged.passUnretained(context).toOpaque()
        archive_read_set_callback_data(archive, pointer)
        archive_read_set_read_callback(archive, readInput)
        if context.input.seekableLength != nil {
            archive_read_set_skip_callback(archive, skipInput)
            archive_read_set_seek_callback(archive, seekInput)
        }
        try CharacterLocale.run { () throws(ArchiveError) in
            try check(archive_read_open1(archive), "archive_read_open1")
            // What cannot be read looks empty to libarchive too.
            if formats.contains(.empty), archive_errno(archive) != 0 || context.failure != nil {
                try check(ARCHIVE_FATAL, "archive_read_open1")
            }
        }
    }

    /// The next entry; nil at the end.
    ///
    /// - Throws: also for what libarchive only warns of, such as a name that is not in the encoding that it is said
    ///   to be in.
    package func next() throws(ArchiveError) -> ArchiveEntry? {
        try CharacterLocale.run { () throws(ArchiveError) in
            var entry: OpaquePointer?
            let code = archive_read_next_header(archive, &entry)
            if code == ARCHIVE_EOF { return nil }
            try check(code, "archive_read_next_header")
            return entry.map { ArchiveEntry($0) }
        }
    }

    /// The next piece of the entry's content, at its place in the file; nil at the end.
    ///
    /// Places are not told that the file does not fill. The bytes stay where they are until the next call.
    package func readPiece() throws(ArchiveError) -> (bytes: UnsafeRawBufferPointer, offset: Int64)? {
        try CharacterLocale.run { () throws(ArchiveError) in
            var bytes: UnsafeRawPointer?
            var count = 0
            var offset: Int64 = 0
            let code = archive_read_data_block(archive, &bytes, &count, &offset)
            if code == ARCHIVE_EOF { return nil }
            try check(code, "archive_read_data_block")
            return (UnsafeRawBufferPointer(start: bytes, count: count), offset)
        }
    }

    /// Bytes of the archive, with its outer layers taken off, that were gone through.
    package var position: Int64 { archive_filter_bytes(archive, 0) }

    /// The number of layers that were found around the archive.
    package var layers: Int { max(0, Int(archive_filter_count(archive)) - 1) }

    /// Bytes of the input that the layers, or the archive where there is none, have made use of.
    package var consumed: Int64 { archive_filter_bytes(archive, -1) }

    /// The layer that all others lie in; nil where there is none.
    package var outermostLayer: ArchiveFilter? {
        let code = archive_filter_code(archive, Int32(layers) - 1)
        return layers > 0 ? ArchiveFilter.allCases.first { $0.code == code } : nil
    }

    /// What the archive, or the entry read last, is.
    package var format: ArchiveFormat? { ArchiveFormat(code: archive_format(archive)) }

    /// Whether libarchive has met something encrypted.
    package var hasMetEncryption: Bool { archive_read_has_encrypted_entries(archive) == 1 }

    private func check(_ code: Int32, _ call: String) throws(ArchiveError) {
        guard code != ARCHIVE_OK else { return }
        if let failure = context.failure { throw .stream(failure) }
        throw .failed(
            call: call, code: archive_errno(archive),
            text: archive_error_string(archive).map { String(cString: $0) }
                ?? "libarchive names no reason, as of a file that was cut short")
    }
}
