internal import CLibArchive

/// A format that libarchive reads.
///
/// In the order in which they are asked whether an archive is theirs, as archive_read_support_format_all(3) has it: the
/// later ones look far ahead unless an earlier one is sure, and once libarchive has seen the end of a file it does not
/// tell a tar archive that was cut within a header from one that ends.
///
/// Not among them: mtree, whose content lies in files of this machine that it names.
package enum ArchiveFormat: String, CaseIterable, Sendable {
    case ar, cpio, lha, tar, xar, warc, sevenZip, cab, rar, rar5, iso9660
    /// By its directory at the end, as the format asks for; the input must be seekable.
    case zip
    /// From start to end, without a look at the directory.
    case zipStream
    /// Nothing: no byte, and no entry.
    case empty
    /// Anything: one entry that holds all bytes.
    case raw

    func support(_ archive: OpaquePointer) -> Int32 {
        switch self {
        case .ar: archive_read_support_format_ar(archive)
        case .cab: archive_read_support_format_cab(archive)
        case .cpio: archive_read_support_format_cpio(archive)
        case .iso9660: archive_read_support_format_iso9660(archive)
        case .lha: archive_read_support_format_lha(archive)
        case .rar: archive_read_support_format_rar(archive)
        case .rar5: archive_read_support_format_rar5(archive)
        case .sevenZip: archive_read_support_format_7zip(archive)
        case .tar: archive_read_support_format_tar(archive)
        case .warc: archive_read_support_format_warc(archive)
        case .xar: archive_read_support_format_xar(archive)
        case .zip: archive_read_support_format_zip_seekable(archive)
        case .zipStream: archive_read_support_format_zip_streamable(archive)
        case .empty: archive_read_support_format_empty(archive)
        case .raw: archive_read_support_format_raw(archive)
        }
    }

    /// By the number that archive_format(3) gives; the lower half of it is a variant.
    init?(code: Int32) {
        switch code & ARCHIVE_FORMAT_BASE_MASK {
        case ARCHIVE_FORMAT_AR: self = .ar
        case ARCHIVE_FORMAT_CAB: self = .cab
        case ARCHIVE_FORMAT_CPIO: self = .cpio
        case ARCHIVE_FORMAT_ISO9660: self = .iso9660
        case ARCHIVE_FORMAT_LHA: self = .lha
        case ARCHIVE_FORMAT_RAR: self = .rar
        case ARCHIVE_FORMAT_7ZIP: self = .sevenZip
        case ARCHIVE_FORMAT_TAR: self = .tar
        case ARCHIVE_FORMAT_WARC: self = .warc
        case ARCHIVE_FORMAT_XAR: self = .xar
        case ARCHIVE_FORMAT_ZIP: self = .zip
        case ARCHIVE_FORMAT_EMPTY: self = .empty
        case ARCHIVE_FORMAT_RAW: self = .raw
        default:
            guard code == ARCHIVE_FORMAT_RAR_V5 else { return nil }
            self = .rar5
        }
    }
}

/// A layer around an archive that libarchive takes off.
///
/// Not among them: those for which it starts a program (lrzip, grzip, lzop).
package enum ArchiveFilter: String, CaseIterable, Sendable {
    case bzip2, compress, gzip, lz4, lzip, lzma, rpm, uu, xz, zstd

    /// Whether its data tells where it ends, so that what follows is more of it or does not belong there.
    package var marksItsEnd: Bool {
        switch self {
        case .bzip2, .gzip, .lz4, .lzip, .lzma, .xz, .zstd: true
        case .compress, .rpm, .uu: false
        }
    }

    func support(_ archive: OpaquePointer) -> Int32 {
        switch self {
        case .bzip2: archive_read_support_filter_bzip2(archive)
        case .compress: archive_read_support_filter_compress(archive)
        case .gzip: archive_read_support_filter_gzip(archive)
        case .lz4: archive_read_support_filter_lz4(archive)
        case .lzip: archive_read_support_filter_lzip(archive)
        case .lzma: archive_read_support_filter_lzma(archive)
        case .rpm: archive_read_support_filter_rpm(archive)
        case .uu: archive_read_support_filter_uu(archive)
        case .xz: archive_read_support_filter_xz(archive)
        case .zstd: archive_read_support_filter_zstd(archive)
        }
    }

    var code: Int32 {
        switch self {
        case .bzip2: ARCHIVE_FILTER_BZIP2
        case .compress: ARCHIVE_FILTER_COMPRESS
        case .gzip: ARCHIVE_FILTER_GZIP
        case .lz4: ARCHIVE_FILTER_LZ4
        case .lzip: ARCHIVE_FILTER_LZIP
        case .lzma: ARCHIVE_FILTER_LZMA
        case .rpm: ARCHIVE_FILTER_RPM
        case .uu: ARCHIVE_FILTER_UU
        case .xz: ARCHIVE_FILTER_XZ
        case .zstd: ARCHIVE_FILTER_ZSTD
        }
    }
}
