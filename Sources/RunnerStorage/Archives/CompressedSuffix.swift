package import LibArchive
package import RunnerJob

/// The suffix of a file that holds one compressed file, and no archive.
package enum CompressedSuffix {
    private static let filters: [(suffix: String, filter: ArchiveFilter)] = [
        ("gz", .gzip), ("bz2", .bzip2), ("xz", .xz), ("zst", .zstd), ("lz4", .lz4), ("lzma", .lzma), ("lz", .lzip),
        ("Z", .compress),
    ]

    /// How a file of that name is unpacked, and the name of what it holds; nil for an archive.
    package static func of(_ path: TargetPath) -> (suffix: String, filter: ArchiveFilter, inner: String)? {
        for (suffix, filter) in filters {
            let name = path.name
            guard name.hasSuffix("." + suffix), name.utf8.count > suffix.utf8.count + 1 else { continue }
            let inner = String(name.dropLast(suffix.count + 1))
            return isArchive(inner) ? nil : (suffix, filter, inner)
        }
        return nil
    }

    private static func isArchive(_ name: String) -> Bool {
        ["tar", "cpio", "iso", "ar", "warc"].contains { name == $0 || name.hasSuffix("." + $0) }
    }
}
