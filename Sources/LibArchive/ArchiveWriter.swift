internal import CLibArchive
internal import LibLocale

/// Writes an archive entry by entry.
///
/// Belongs to one thread. Every call runs in a locale of UTF-8; see ``CharacterLocale``. The order is: make it, set
/// options, ``open()``, for every entry ``begin(_:)`` and ``write(_:)``, at last ``close()``.
package final class ArchiveWriter {
    private let archive: OpaquePointer
    private let entry: OpaquePointer
    // The C side has an unretained pointer to it; it is released after the handle is.
    private let context: OutputContext

    /// What an archive is written in.
    package enum Format: Hashable, Sendable {
        /// As POSIX has it, with headers of its newer form only where the older one does not do.
        case tar
        case zip
        case sevenZip
        /// One file without a name.
        case raw
    }

    /// A layer around the archive.
    package enum Filter: Hashable, Sendable {
        case gzip, bzip2, xz, zstd
    }

    package init(_ output: any ArchiveOutput, format: Format, filter: Filter?) throws(ArchiveError) {
        guard CharacterLocale.isThere, let archive = archive_write_new() else { throw Self.noMemory }
        guard let entry = archive_entry_new() else {
            archive_write_free(archive)
            throw Self.noMemory
        }
        self.archive = archive
        self.entry = entry
        context = OutputContext(output)
        switch format {
        case .tar:
            try check(archive_write_set_format_pax_restricted(archive), "archive_write_set_format_pax_restricted")
        case .zip: try check(archive_write_set_format_zip(archive), "archive_write_set_format_zip")
        case .sevenZip: try check(archive_write_set_format_7zip(archive), "archive_write_set_format_7zip")
        case .raw: try check(archive_write_set_format_raw(archive), "archive_write_set_format_raw")
        }
        switch filter {
        case .gzip: try check(archive_write_add_filter_gzip(archive), "archive_write_add_filter_gzip")
        case .bzip2: try check(archive_write_add_filter_bzip2(archive), "archive_write_add_filter_bzip2")
        case .xz: try check(archive_write_add_filter_xz(archive), "archive_write_add_filter_xz")
        case .zstd: try check(archive_write_add_filter_zstd(archive), "archive_write_add_filter_zstd")
        case nil: break
        }
    }

    private static var noMemory: ArchiveError {
        .failed(call: "archive_write_new", code: 0, text: "the system has no locale C.UTF-8, or no memory")
    }

    deinit {
        CharacterLocale.run {
            archive_entry_free(entry)
            // Frees without writing an end, unless it was closed (archive_write_fail(3)).
            archive_write_fail(archive)
            archive_write_free(archive)
        }
    }

    /// Sets an option of the format (archive_write_set_options(3)); nil takes what is on by default away.
    package func setFormatOption(_ name: String, _ value: String?) throws(ArchiveError) {
        try CharacterLocale.run { () throws(ArchiveError) in
            try check(archive_write_set_format_option(archive, nil, name, value), "archive_write_set_format_option")
        }
    }

    /// Sets an option of the layer around the archive.
    package func setFilterOption(_ name: String, _ value: String?) throws(ArchiveError) {
        try check(archive_write_set_filter_option(archive, nil, name, value), "archive_write_set_filter_option")
    }

    /// Sets the password for entries that are encrypted.
    package func setPassword(_ password: String) throws(ArchiveError) {
        try check(archive_write_set_passphrase(archive, password), "archive_write_set_passphrase")
    }

    /// Ends the settings.
    package func open() throws(ArchiveError) {
        // The last block is written as long as it is, and not filled up, in every format but tar itself.
        try check(archive_write_set_bytes_in_last_block(archive, 1), "archive_write_set_bytes_in_last_block")
        let pointer = Unmanaged.passUnretained(context).toOpaque()
        try CharacterLocale.run { () throws(ArchiveError) in
            try check(archive_write_open(archive, pointer, nil, writeOutput, nil), "archive_write_open")
        }
    }

    /// Begins an entry: of a file, which needs its size, a folder or a link.
    ///
    /// Owner and group are left at zero and without names.
    package func begin(_ member: ArchiveEntry) throws(ArchiveError) {
        try CharacterLocale.run { () throws(ArchiveError) in
            archive_entry_clear(entry)
            Self.withText(member.name) { archive_entry_copy_pathname(entry, $0) }
            archive_entry_set_perm(entry, mode_t(member.mode))
            if let time = member.modified {
                archive_entry_set_mtime(entry, time_t(time.seconds), Int(time.nanoseconds))
            }
            switch member.kind {
            case .file: archive_entry_set_filetype(entry, UInt32(runner_archive_type_file))
            case .folder: archive_entry_set_filetype(entry, UInt32(runner_archive_type_folder))
            case .link(let target):
                archive_entry_set_filetype(entry, UInt32(runner_archive_type_link))
                Self.withText(target) { archive_entry_copy_symlink(entry, $0) }
            case .hardLink(let target): Self.withText(target) { archive_entry_copy_hardlink(entry, $0) }
            case .special: archive_entry_set_filetype(entry, UInt32(runner_archive_type_pipe))
            }
            archive_entry_set_size(entry, member.size ?? 0)
            try check(archive_write_header(archive, entry), "archive_write_header")
        }
    }

    /// Adds bytes to the content of the file that was begun last.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = CharacterLocale.run { archive_write_data(archive, rest.baseAddress, rest.count) }
            guard written > 0 else { throw failure("archive_write_data") }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Writes the end of the archive.
    package func close() throws(ArchiveError) {
        try CharacterLocale.run { () throws(ArchiveError) in
            try check(archive_write_close(archive), "archive_write_close")
        }
    }

    private static func withText(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Void) {
        (bytes + [0]).withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { body($0) }
        }
    }

    private func check(_ code: Int32, _ call: String) throws(ArchiveError) {
        guard code == ARCHIVE_OK else { throw failure(call) }
    }

    private func failure(_ call: String) -> ArchiveError {
        if let failure = context.failure { return .stream(failure) }
        return .failed(
            call: call, code: archive_errno(archive),
            text: archive_error_string(archive).map { String(cString: $0) } ?? "no reason given")
    }
}
