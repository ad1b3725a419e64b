import RunnerJob
import Testing

@Suite struct SourceURLTextTests {
    private let place = Place(line: 1, column: 1)

    @Test(arguments: [
        ("http://h/a", "http://h/a"), ("HTTP://H.Example/A", "http://h.example/A"), ("https://h", "https://h/"),
        ("http://h:80/a", "http://h/a"), ("https://h:443/a", "https://h/a"), ("http://h:8080/a", "http://h:8080/a"),
        ("http://h:/a", "http://h/a"),
        ("http://h/a b", "http://h/a%20b"), ("http://h/a%20b%2Bc", "http://h/a%20b%2Bc"),
        ("http://h/é", "http://h/%c3%a9"), ("http://h/a b?c d=e+f  g#h i", "http://h/a%20b?c%20d=e+f%20%20g"),
        ("http://h/[1-3]{x,y}?q[]=1", "http://h/[1-3]{x,y}?q[]=1"), ("http://h/a#top", "http://h/a"),
        ("http://h/a?x=#y", "http://h/a?x="), ("http://h/a/../b/./c", "http://h/b/c"), ("ftp://h/a", "ftp://h/a"),
        ("file:///etc/passwd", "file:///etc/passwd"), ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://127.1/a", "http://127.0.0.1/a"),
        ("http://u:p@h/a", "http://h/a"), ("http://h/a@b", "http://h/a@b"), ("http://h/$x;v=1", "http://h/$x;v=1"),
    ])
    func writesTheURLAsItGoesOverTheWire(text: String, url: String) throws {
        #expect(try SourceURL(text, at: place).url == ExactText(url))
    }

    @Test(arguments: [
        ("http://H/a", Origin(scheme: "http", host: "h", port: 80)),
        ("https://h/a", Origin(scheme: "https", host: "h", port: 443)),
        ("http://h:8080", Origin(scheme: "http", host: "h", port: 8080)),
        ("ftp://h/a", Origin(scheme: "ftp", host: "h", port: 21)),
        ("http://[::1]/a", Origin(scheme: "http", host: "[::1]", port: 80)),
        ("file:///a", Origin(scheme: "file", host: "", port: 0)),
        ("http://[fe80::1%25eth0]/a", Origin(scheme: "http", host: "[fe80::1%25eth0]", port: 80)),
    ])
    func knowsTheOrigin(text: String, origin: Origin) throws {
        #expect(try SourceURL(text, at: place).origin == origin)
    }

    @Test func writesInternationalNamesInASCII() throws {
        let url = try SourceURL("http://BÜCHER.example/a", at: place)
        #expect(url.url == "http://xn--bcher-kva.example/a")
        #expect(url.origin.host == "xn--bcher-kva.example")
    }

    @Test func takesUserAndPasswordOff() throws {
        let url = try SourceURL("http://u:p%40ss@h/a", at: place)
        #expect(url.url == "http://h/a")
        #expect(url.credentials == SourceURL.Credentials(user: "u", password: "p@ss"))
        #expect(url.credentials?.secrets == ["p@ss", "dTpwQHNz"])
        #expect(try SourceURL("http://token@h/a", at: place).credentials?.secrets.contains("token") == true)
        #expect(try SourceURL("http://h/a", at: place).credentials == nil)
    }

    @Test(arguments: [
        ("", URLFault.empty), ("//h/a", .noScheme), ("h/a", .noScheme), ("example.org", .noScheme),
        ("example.org/a", .noScheme),
        ("example.org:80/a", .noScheme), ("localhost:8080/a", .noScheme), ("/a", .noScheme), ("http:/h/a", .noScheme),
        ("http:h", .noScheme), ("://h", .noScheme), (" http://h", .noScheme),
        ("gopher://h/a", .unknownScheme("gopher")),
        ("javascript:alert(1)", .unknownScheme("javascript")), ("data:,x", .unknownScheme("data")),
        ("SCP://h/a", .unknownScheme("SCP")), ("http://h:99999/a", .badPort), ("http://h:x/a", .badPort),
        ("http://me:a/b@h/x", .rawDelimiter), ("https://me:a?b@h", .rawDelimiter), ("ftp://me:a#b@h/x", .rawDelimiter),
        ("http://me:pw@h:x/a@b", .badPort),
        ("http://me:?word@h/", .rawDelimiter), ("http://me:#word@h/", .rawDelimiter),
        ("http://me:/word@h", .rawDelimiter),
        ("http://[::1/a", .badHost), ("http://h\\a", .badHost), ("http:///a", .badHost),
        ("http://u:%00@h/a", .badUserInfo), ("http://u:p%E4@h/a", .badUserInfo), ("http://%ff:p@h/a", .badUserInfo),
        ("file:///a%00b", .encodedControl), ("file:///%00", .encodedControl), ("sftp://h/a%00", .encodedControl),
        ("ftp://h/d%0Aa", .encodedControl), ("ftp://h/%00", .encodedControl), ("ftp://h/a%1f", .encodedControl),
        ("file://host/a", .badFileURL), ("http://h/a\nb", .controlCharacter), ("http://h/a\u{0}", .controlCharacter),
    ])
    func refusesTheRest(text: String, fault: URLFault) {
        #expect(throws: fault) { try SourceURL(text, at: place) }
        #expect(!fault.description.isEmpty)
    }

    @Test(arguments: [
        ("http://h/a.tar.gz?token=1&x=/y", "a.tar.gz"), ("http://h/d/a#frag", "a"), ("http://h/dl?file=x.zip", "dl"),
        ("http://h/%E6%97%A5.txt", "日.txt"), ("http://h/日.txt", "日.txt"), ("http://h/a b", "a b"),
        ("http://h/a%25b", "a%b"), ("http://h/a%2541", "a%41"),
        ("http://h/x%", "x%"), ("http://h/a%2Fb", "a%2Fb"), ("http://h/%2e%2e%2fpasswd", "%2e%2e%2fpasswd"),
        ("http://h/a%00b", "a%00b"),
        ("http://h/a%0Ab", "a%0Ab"), ("http://h/%FF", "%FF"), ("http://h/a;v=1", "a;v=1"), ("http://h/-rf", "-rf"),
        ("http://h/.x", ".x"),
        ("ftp://h/d/a", "a"), ("file:///etc/passwd", "passwd"), ("http://h/a%5Cb", "a\\b"),
    ])
    func givesTheFileAName(text: String, name: String) throws {
        #expect(try SourceURL(text, at: place).fileName == name)
    }

    @Test(arguments: ["http://h", "http://h/", "http://h/d/", "http://h/?a=/b", "http://h/a/..", "http://h/a/."])
    func givesNoNameWhereThereIsNone(text: String) throws {
        #expect(try SourceURL(text, at: place).fileName == nil)
    }

    @Test func cutsALongNameAndKeepsItsSuffix() throws {
        let name = try #require(
            try SourceURL("http://h/" + String(repeating: "日", count: 100) + ".tar", at: place).fileName)
        #expect(name == String(repeating: "日", count: 83) + ".tar")
        let plain = try SourceURL("http://h/" + String(repeating: "x", count: 300), at: place).fileName
        #expect(plain == String(repeating: "x", count: 255))
        let suffix = try SourceURL("http://h/a." + String(repeating: "x", count: 300), at: place).fileName
        #expect(suffix?.utf8.count == 255)
    }
}
