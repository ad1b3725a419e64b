internal import LibCurl
package import RunnerJob

/// `file:` URLs (RFC 8089).
package enum FileURL {
    /// The absolute path that a URL names, decoded.
    package static func path(of url: SourceURL) -> String {
        guard let parts = try? URLParts(url.url.text), let path = try? parts.text(.path, .decoded) else { return "" }
        return path
    }
}
