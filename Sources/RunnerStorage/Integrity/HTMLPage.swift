/// An HTML page that came where a file was wanted: a sign-in page, an error page, a captive portal.
package struct HTMLPage: Hashable, Sendable {
    /// The text of its `title`, safe to print; nil when it has none within the bytes looked at.
    package var title: String?

    /// Tags that HTML begins with (WHATWG MIME Sniffing, 7.1); the byte after one must end the tag's name.
    private static let tags = [
        "<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style",
        "<title", "<b", "<body", "<br", "<p", "<meta",
        // Further ones that pages of servers and portals begin with.
        "<center", "<h2", "<h3", "<form", "<noscript", "<img", "<span", "<ul", "<ol", "<hr", "<strong", "<frameset",
    ]

    /// Looks at the first bytes of a file; nil when they are not HTML.
    package init?(_ bytes: [UInt8]) {
        let text = TextStart(bytes).bytes
        // Tags, comments and declarations alike begin so; most files are none of them.
        guard text.first == UInt8(ascii: "<") else { return nil }
        // After an XML declaration a short tag such as `<a>` is any vocabulary's.
        let tags = TextStart.starts(text, with: "<?xml") ? Self.tags.prefix(2) : Self.tags[...]
        guard Self.isHTML(Self.afterPreamble(text), tags) else { return nil }
        title = Self.title(in: text)
    }

    private static func isHTML(_ text: ArraySlice<UInt8>, _ tags: ArraySlice<String>) -> Bool {
        tags.contains { tag in
            guard TextStart.starts(text, with: tag) else { return false }
            guard let next = text.dropFirst(tag.utf8.count).first else { return true }
            return TextStart.isSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
        }
    }

    /// What follows comments, an XML declaration and white space.
    private static func afterPreamble(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while true {
            rest = rest.drop { TextStart.isSpace($0) }
            let ends = [("<!--", "-->"), ("<?", "?>")]
            guard let (_, end) = ends.first(where: { TextStart.starts(rest, with: $0.0) }),
                let place = TextStart.firstIndex(of: end, in: rest)
            else { return rest }
            rest = rest[(place + end.utf8.count)...]
        }
    }

    private static func title(in text: ArraySlice<UInt8>) -> String? {
        guard let tag = TextStart.firstIndex(of: "<title", in: text),
            let open = text[tag...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let content = text[(open + 1)...]
        let end = TextStart.firstIndex(of: "</title", in: content) ?? content.endIndex
        let title = SafeText.of(content[..<end])
        return title.isEmpty ? nil : title
    }
}
