/// A netrc file, as libcurl's lib/netrc.c reads it.
enum NetrcText {
    /// What libcurl would pass over: an entry whose first word a byte order mark belongs to; may block.
    static func flaw(of path: String) -> Fault.Cause? {
        guard let text = LineText(path), text.hasMark, let first = text.lines.first, !first.isEmpty,
            first.first != UInt8(ascii: "#")
        else { return nil }
        return .unreadableLine(path: path, line: 1, why: .byteOrderMark)
    }
}
