#if canImport(Glibc)
    import Glibc
#endif

/// A cookie jar as a file: the format of Netscape, which curl and wget read and write.
enum CookieText {
    private static let head = "# Netscape HTTP Cookie File\n# Written by runner; it holds credentials.\n"
    /// Enough for the first lines of any jar.
    private static let looksAt = 64 << 10

    /// - Parameter lines: one cookie each, in the format's seven fields.
    static func jar(_ lines: [String]) -> String {
        head + lines.map { $0 + "\n" }.joined()
    }

    /// Whether a file has lines and none of them is a cookie, such as one in JSON or with blanks in place of tabs; may
    /// block.
    static func isOtherFormat(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: looksAt)
        let count = pread(file, &bytes, looksAt, 0)
        return count > 0 && isOtherFormat(bytes.prefix(count))
    }

    static func isOtherFormat(_ text: some Sequence<UInt8>) -> Bool {
        let lines = Array(text).split { $0 == 0x0A || $0 == 0x0D }
            .map { $0.drop { $0 == 0x20 || $0 == 0x09 } }
            .filter { !$0.isEmpty && (!$0.starts(with: "#".utf8) || $0.starts(with: "#HttpOnly_".utf8)) }
        return !lines.isEmpty && !lines.contains(where: isCookie)
    }

    /// Seven fields parted by tabs, of which the last may be missing; or a header line, which libcurl reads too.
    private static func isCookie(_ line: ArraySlice<UInt8>) -> Bool {
        line.count { $0 == 0x09 } >= 5 || String(decoding: line.prefix(11), as: UTF8.self).lowercased() == "set-cookie:"
    }
}
