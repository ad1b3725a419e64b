import Testing

@testable import LibCurl

@Suite struct URLPartsTests {
    @Test func takesAURLApart() throws {
        let parts = try URLParts("https://me:p%40ss@example.org:8443/a/b?x=1#top")
        #expect(try parts.text(.scheme) == "https")
        #expect(try parts.text(.user) == "me")
        #expect(try parts.text(.password) == "p%40ss")
        #expect(try parts.text(.password, .decoded) == "p@ss")
        #expect(try parts.text(.host) == "example.org")
        #expect(try parts.text(.port) == "8443")
        #expect(try parts.text(.path) == "/a/b")
        #expect(try parts.text(.query) == "x=1")
        #expect(try parts.text(.fragment) == "top")
    }

    @Test(arguments: [URLParts.Part.user, .password, .port, .query, .fragment, .zoneID])
    func hasNoTextForWhatIsNotThere(part: URLParts.Part) throws {
        #expect(try URLParts("http://h/a").text(part) == nil)
    }

    @Test func encodesWhatCannotStandInAURLAndKeepsEscapes() throws {
        #expect(try URLParts("http://h/a b/é%20%2F").text(.url) == "http://h/a%20b/%c3%a9%20%2F")
    }

    @Test func givesTheDefaultPortOnlyWhereAsked() throws {
        let parts = try URLParts("ftp://h/a")
        #expect(try parts.text(.port) == nil)
        #expect(try parts.text(.port, .defaultPort) == "21")
        #expect(try URLParts("http://h:80/a").text(.url, .withoutDefaultPort) == "http://h/a")
    }

    @Test func givesInternationalNamesInASCII() throws {
        #expect(try URLParts("http://bücher.example/").text(.host, .punycode) == "xn--bcher-kva.example")
    }

    @Test func replacesAndTakesAwayPieces() throws {
        var parts = try URLParts("http://u:p@h/a#x")
        try parts.set(.user, to: nil)
        try parts.set(.password, to: nil)
        try parts.set(.fragment, to: nil)
        try parts.set(.host, to: "other")
        #expect(try parts.text(.url) == "http://other/a")
    }

    @Test(arguments: [
        ("http://h:99999/", URLError.Kind.port), ("http://[::1/", .host), ("example.org", .scheme),
    ])
    func failsWithTheKindOfFault(text: String, kind: URLError.Kind) throws {
        let error = #expect(throws: URLError.self) { _ = try URLParts(text) }
        #expect(error?.kind == kind)
        #expect(error?.description.isEmpty == false)
    }

    @Test func refusesControlCharactersBehindEscapes() throws {
        let parts = try URLParts("http://u:a%0Ab@h/")
        let error = #expect(throws: URLError.self) { try parts.text(.password, .decoded) }
        #expect(error?.kind == .escape)
    }

    /// The address sanitizer sees a handle that is not freed.
    @Test func freesItsHandle() {
        for text in ["http://h/a", "nonsense", "http://[", "http://u:p@h/?q#f"] {
            _ = try? URLParts(text).text(.url)
        }
    }
}
