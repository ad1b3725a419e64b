/// A cookie jar as a file: the format of Netscape, which curl and wget read and write.
enum CookieText {
    private static let head = "# Netscape HTTP Cookie File\n# Written by runner; it holds credentials.\n"
    /// - Parameter lines: one cookie each, in the format's seven fields.
    static func jar(_ lines: [String]) -> String {
        head + lines.map { $0 + "\n" }.joined()
    }

    /// What libcurl would pass over: a jar without a cookie, such as one in JSON or with blanks in place of tabs, or a
    /// line with tabs that is none; may block.
    static func flaw(of path: String) -> Fault.Cause? {
        guard let text = LineText(path) else { return nil }
        let lines = text.lines.enumerated().filter { !isComment($0.element) }
        if !lines.isEmpty, !lines.contains(where: { isHeader($0.element) || isCookie($0.element) }),
            !lines.contains(where: { isNearlyCookie($0.element) })
        {
            return .noCookies(path: path)
        }
        for (index, line) in lines where !isHeader(line) {
            if isCookie(line) {
                guard index == 0, text.hasMark else { continue }
                return .unreadableLine(path: path, line: 1, why: .byteOrderMark)
            }
            if isNearlyCookie(line) {
                return .unreadableLine(path: path, line: index + 1, why: .fields(fields(line).count))
            }
        }
        return nil
    }

    private static let tab = UInt8(ascii: "\t")

    private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
        line.isEmpty || line.first == UInt8(ascii: "#") && !line.starts(with: "#HttpOnly_".utf8)
    }

    /// A header line, which libcurl reads too.
    private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
        String(decoding: line.prefix(11), as: UTF8.self).lowercased() == "set-cookie:"
    }

    /// Text of another kind may hold a tab too.
    private static func isNearlyCookie(_ line: ArraySlice<UInt8>) -> Bool {
        !isCookie(line) && fields(line).count >= 3
    }

    /// Seven fields, of which the last may be empty, and the third, the path, missing; as libcurl's lib/cookie.c has it,
    /// tabs in a row are one.
    private static func isCookie(_ line: ArraySlice<UInt8>) -> Bool {
        let fields = fields(line)
        let hasPath = fields.count < 3 || !["TRUE", "FALSE"].contains(String(decoding: fields[2], as: UTF8.self))
        return [6, 7].contains(fields.count + (hasPath ? 0 : 1))
    }

    private static func fields(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { line.split(separator: tab) }
}
