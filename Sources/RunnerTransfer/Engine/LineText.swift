#if canImport(Glibc)
    import Glibc
#endif

/// A file of lines that libcurl is going to read, looked at beforehand.
struct LineText {
    /// Whether a byte order mark stands before the first line; libcurl takes it for a part of that.
    let hasMark: Bool
    /// Without the mark, leading blanks and line ends; of a file that is longer than any such file the beginning.
    let lines: [ArraySlice<UInt8>]

    private static let longest = 8 << 20
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Nil for what is empty, cannot be read, or only once, such as a pipe; may block.
    init?(_ path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < Self.longest {
            let count = pread(file, &piece, piece.count, off_t(bytes.count))
            if count <= 0 { break }
            bytes += piece.prefix(count)
        }
        if bytes.isEmpty { return nil }
        hasMark = bytes.starts(with: Self.mark)
        lines = bytes.dropFirst(hasMark ? Self.mark.count : 0)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                line.prefix { $0 != UInt8(ascii: "\r") }.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            }
    }
}
