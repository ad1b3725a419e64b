import Testing

@testable import RunnerJob

/// URLs that are read without libcurl are what libcurl makes of them.
@Suite struct KnownAuthorityTests {
    private static let place = Place(line: 1, column: 1)

    private func known(_ text: String) throws -> KnownAuthority? {
        KnownAuthority(of: try SourceURL(text, at: Self.place), written: text)
    }

    static let rests = [
        "/", "/a", "/a/b.tar.gz", "/~u/A-b_c.9", "/a/", "/a.", "/a../b", "/a/.b", "/a/./b", "/a/../b", "/..", "//",
        "/a//b",
        "/%41", "/a b", "/a?q=1", "/?x", "/a#f", "/\u{E9}", "/a\\b", "/a;p", "/a:b", "/a@b", "/a+b", "/a\"b", "/a%zz",
        "",
        ":8080/a", "x/a", "?q", "#f", "@evil.test/a",
    ]

    @Test(arguments: ["http://h.test", "https://h.test:8443", "http://127.0.0.1:80", "http://[::1]:8080"], rests)
    func whatIsKnownIsWhatLibcurlSays(_ beginning: String, _ rest: String) throws {
        guard let known = try known(beginning + "/known/file"), let found = known.url(beginning + rest, at: Self.place)
        else { return }
        #expect(found == (try SourceURL(beginning + rest, at: Self.place)))
    }

    @Test(arguments: [
        ("/", true), ("/a/b.tar.gz", true), ("/~u/A-b_c.9", true), ("/a/", true), ("/a../b", true), ("/a/.b", false),
        ("/a/../b", false), ("/a//b", false), ("/%41", false), ("/a b", false), ("/a?q=1", false), ("x/a", false),
        ("", false), (":8080/a", false), ("@evil.test/a", false),
    ])
    func plainPathsAreKnown(_ rest: String, isKnown: Bool) throws {
        let known = try #require(try known("http://h.test/known/file"))
        #expect((known.url("http://h.test" + rest, at: Self.place) != nil) == isKnown)
    }

    @Test(arguments: [
        "http://u:p@h.test/a", "http://H.test/a", "http://h.test:80/a", "ftp://h.test/a", "file:///a", "http://h.test",
        "http://h.test/a#f", "http://b\u{FC}cher.test/a",
    ])
    func whatLibcurlHasChangedIsNotRemembered(_ text: String) throws {
        #expect(try known(text) == nil)
    }
}
