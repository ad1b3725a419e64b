internal import LibCurl

/// References in replies and lists, read by libcurl's URL API.
package enum URLResolution {
    /// Resolves a `Location` against the URL that it came from (RFC 3986 section 5); nil when the result is no URL
    /// that can be asked.
    package static func resolve(_ base: SourceURL, _ reference: String) -> SourceURL? {
        // The URL itself (RFC 3986 section 5.2.2); libcurl takes such a reference for one to the folder.
        if reference.utf8.first == UInt8(ascii: "#") { return base }
        do {
            var parts = try URLParts(base.url.text)
            // libcurl takes no blank in a whole URL, and makes `+` of one in a query.
            let reference = reference.replacing(" ", with: "%20").replacing("\t", with: "%09")
            try parts.set(.url, to: reference)
            guard let text = try parts.text(.url) else { return nil }
            return try SourceURL(text, at: base.place)
        } catch {
            return nil
        }
    }
}
