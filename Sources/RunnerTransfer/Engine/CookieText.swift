/// A cookie jar as a file: the format of Netscape, which curl and wget read and write.
enum CookieText {
    private static let head = "# Netscape HTTP Cookie File\n# Written by runner; it holds credentials.\n"

    /// - Parameter lines: one cookie each, in the format's seven fields.
    static func jar(_ lines: [String]) -> String {
        head + lines.map { $0 + "\n" }.joined()
    }
}
