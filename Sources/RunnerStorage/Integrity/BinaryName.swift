/// What the name of a file says about its content.
enum BinaryName {
    /// Kinds that are never a page, and never empty: even an archive of nothing has a header.
    private static let archives: Set<String> = [
        "zip", "jar", "war", "ear", "aar", "whl", "egg", "apk", "ipa", "xpi", "crx", "vsix", "nupkg", "gem", "crate",
        "conda", "appx", "msix", "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz", "zst", "tzst", "lz", "tlz", "lzma",
        "lzo", "z", "taz", "lz4", "br", "7z", "rar", "ace", "arj", "lha", "lzh", "cab", "cpio", "ar", "xar",
        "deb", "udeb", "rpm", "snap", "flatpak", "appimage", "dmg", "msi", "exe", "dll", "so", "dylib", "ko",
        "efi", "class", "dex", "wasm", "pyc", "swf",
        "iso", "squashfs", "sqsh", "qcow", "qcow2", "vmdk", "vdi", "vhd", "vhdx", "ova",
        "pdf", "djvu", "mobi", "azw3", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub",
        "png", "jpg", "jpeg", "gif", "webp", "avif", "heic", "heif", "jxl", "jp2", "bmp", "ico", "icns", "tif",
        "tiff", "psd",
        "mp3", "mp4", "m4a", "m4v", "aac", "opus", "flac", "wav", "aiff", "ogg", "oga", "ogv", "mkv", "webm", "avi",
        "mov", "wmv", "flv", "mpg", "mpeg", "3gp",
        "woff", "woff2", "ttf", "ttc", "otf", "eot", "sqlite", "parquet", "arrow", "feather", "orc", "avro",
        "safetensors", "gguf", "onnx", "tflite", "npy", "npz", "h5", "hdf5", "fits", "pcap", "pcapng",
    ]
    /// Kinds that are never a page, but may well be empty.
    private static let others: Set<String> = [
        "tar", "bin", "img", "dat", "raw", "run", "rom", "vmlinuz", "pkg", "pack", "o", "a", "lib", "obj",
    ]

    /// Kinds that are text, or a page.
    private static let texts: Set<String> = [
        "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "xml", "svg", "txt", "text", "md", "json", "csv",
        "tsv", "log", "rss", "atom", "css", "js",
    ]

    /// What a file of some name cannot be.
    enum Kind {
        /// No mark-up of any kind, and not empty.
        case archive
        /// No HTML page.
        case other
    }

    /// What the name says; nil for nothing.
    static func kind(of name: String) -> Kind? {
        suffix(name).flatMap { archives.contains($0) ? .archive : others.contains($0) ? .other : nil }
    }

    /// Whether a file of that name may well be a page.
    static func isText(_ name: String) -> Bool { suffix(name).map(texts.contains) ?? false }

    /// Whether a file of that name is compressed by gzip as a whole.
    static func isGzip(_ name: String) -> Bool { ["gz", "tgz"].contains(suffix(name)) }

    private static func suffix(_ name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        return String(name[name.utf8.index(after: dot)...]).lowercased()
    }
}
