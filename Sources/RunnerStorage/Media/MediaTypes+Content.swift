internal import LibMagic
internal import RunnerJob

extension MediaTypes {
    /// Bytes at the beginning of a file that ``type(of:beginning:look:)`` wants to see.
    package static let length = 64 << 10

    /// The type of a file by its name; libmagic is asked where the name says nothing, or something else than the bytes.
    ///
    /// - Parameter look: what libmagic says of the bytes; nil where it is not installed.
    package func type(
        of name: String, beginning bytes: [UInt8], look: ([UInt8]) -> String? = Self.byMagic
    ) -> String {
        let named = type(of: name)
        guard !bytes.isEmpty, named == Self.unknown || Self.contradicts(named, bytes) else { return named }
        guard let found = look(bytes), found != Self.unknown, Self.isType(found) else { return named }
        return found
    }

    private static func byMagic(_ bytes: [UInt8]) -> String? {
        MagicDatabase()?.mediaType(of: bytes)
    }

    /// What libmagic says of folders and devices (`inode/…`) is no media type.
    private static func isType(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isWord = { (part: Substring) in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                        || "-+._".utf8.contains(byte)
                }
        }
        return parts.count == 2 && parts[0] != "inode" && parts.allSatisfy(isWord)
    }

    /// Whether the bytes cannot be of a type, as far as that is known without libmagic.
    ///
    /// Many a type is a zip or a gzip by its bytes, so that only its own mark, text and images are looked at.
    static func contradicts(_ type: String, _ bytes: [UInt8]) -> Bool {
        if let kind = marked[type] { return !ContentSignature.matches(kind, bytes) }
        guard type.hasPrefix("text/") || type.hasPrefix("image/"), let kind = ContentSignature.kind(of: bytes) else {
            return false
        }
        return marked.values.contains(kind) && !(type.hasSuffix("-compressed") || type.contains("svg"))
    }

    /// Types that begin with a mark of their own; a zip whose first file comes late is none that one would send.
    private static let marked: [String: Expectations.ContentType] = [
        "application/zip": .zip, "application/gzip": .gzip, "application/x-compressed-tar": .gzip,
        "application/x-bzip": .bzip2, "application/x-bzip2": .bzip2, "application/x-xz": .xz,
        "application/x-xz-compressed-tar": .xz, "application/zstd": .zstd, "application/x-7z-compressed": .sevenZip,
        "application/x-tar": .tar, "application/pdf": .pdf, "image/png": .png, "image/jpeg": .jpeg,
        "image/gif": .gif, "application/vnd.debian.binary-package": .deb, "application/x-rpm": .rpm,
        "application/vnd.sqlite3": .sqlite,
    ]
}
