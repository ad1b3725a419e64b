internal import CLibArchive

/// What an archive says of one of its entries.
package struct ArchiveEntry {
    package enum Kind: Hashable {
        case file
        case folder
        /// A symbolic link with its text.
        case link([UInt8])
        /// Another name of an earlier entry.
        case hardLink([UInt8])
        /// A device, a pipe, a socket, or something unknown.
        case special
    }

    /// Seconds and nanoseconds since 1970.
    package struct Time: Hashable {
        package var seconds: Int64
        package var nanoseconds: Int64

        package init(seconds: Int64, nanoseconds: Int64 = 0) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }
    }

    /// The bytes of the name as far as the first zero; UTF-8 where the archive says which encoding it has.
    package var name: [UInt8]
    package var kind: Kind
    /// Bytes of a file; nil when the archive does not tell beforehand.
    package var size: Int64?
    /// Permission bits, with those for set-user-ID and the like.
    package var mode: UInt16
    package var modified: Time?
    package var isEncrypted: Bool

    package init(
        name: [UInt8], kind: Kind, size: Int64? = nil, mode: UInt16, modified: Time? = nil, isEncrypted: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.size = size
        self.mode = mode
        self.modified = modified
        self.isEncrypted = isEncrypted
    }
}

extension ArchiveEntry {
    /// Copies what libarchive has read.
    init(_ entry: OpaquePointer) {
        name = Self.bytes(archive_entry_pathname(entry))
        if let target = archive_entry_hardlink(entry) {
            kind = .hardLink(Self.bytes(target))
        } else {
            switch Int(archive_entry_filetype(entry)) & runner_archive_type_mask {
            // Some writers of ar and cpio give permissions alone, which is said of files.
            case runner_archive_type_file, 0: kind = .file
            case runner_archive_type_folder: kind = .folder
            case runner_archive_type_link: kind = .link(Self.bytes(archive_entry_symlink(entry)))
            default: kind = .special
            }
        }
        size = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil
        mode = UInt16(truncatingIfNeeded: archive_entry_perm(entry)) & 0o7777
        if archive_entry_mtime_is_set(entry) != 0 {
            modified = Time(
                seconds: Int64(archive_entry_mtime(entry)), nanoseconds: Int64(archive_entry_mtime_nsec(entry)))
        }
        isEncrypted = archive_entry_is_data_encrypted(entry) != 0
    }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
        guard let text else { return [] }
        return text.withMemoryRebound(to: UInt8.self, capacity: 1) { start in
            var count = 0
            while start[count] != 0 { count += 1 }
            return Array(UnsafeBufferPointer(start: start, count: count))
        }
    }
}
