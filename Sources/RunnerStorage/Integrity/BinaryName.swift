/// What the name of a file says about its content.
enum BinaryName {
    /// Kinds that are never a page, and never empty: even an archive of nothing has a header.
    private static let archives: Set<String> = [
        "zip", "jar", "war", "whl", "apk", "nupkg", "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz", "zst", "tzst", "lz",
        "lzma", "lz4", "7z", "rar", "cab", "deb", "rpm", "dmg", "msi", "iso", "qcow2", "vmdk", "vhd", "vhdx", "ova",
        "exe", "dll", "so", "pdf", "docx", "xlsx", "pptx", "odt", "epub", "png", "jpg", "jpeg", "gif", "webp", "tif",
        "tiff", "mp3", "mp4", "m4a", "mkv", "webm", "ogg", "flac", "wav", "avi", "mov", "woff", "woff2", "ttf", "otf",
        "sqlite", "parquet", "safetensors", "gguf", "onnx", "npy", "npz", "h5", "wasm", "class",
    ]
    /// Kinds that are never a page, but may well be empty.
    private static let others: Set<String> = ["tar", "bin", "img", "dat", "raw", "vmlinuz", "pkg", "pack"]

    /// Whether a file of that name cannot be an HTML page.
    static func isBinary(_ name: String) -> Bool {
        suffix(name).map { archives.contains($0) || others.contains($0) } ?? false
    }

    /// Whether a file of that name cannot be empty either.
    static func isArchive(_ name: String) -> Bool { suffix(name).map(archives.contains) ?? false }

    /// Whether a file of that name is compressed by gzip as a whole.
    static func isGzip(_ name: String) -> Bool { ["gz", "tgz"].contains(suffix(name)) }

    private static func suffix(_ name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        return String(name[name.utf8.index(after: dot)...]).lowercased()
    }
}
