import RunnerJob
import Testing

@Suite("Redactor")
struct RedactorTests {
    @Test(arguments: [
        ("https://example.org/a?x=1#y", "https://example.org/a?x=1#y"),
        ("https://u:p%40ss@example.org/a@b", "https://***@example.org/a@b"),
        ("ftp://user@example.org", "ftp://***@example.org"),
        ("https://u:p/q@example.org/a", "https://***@example.org/a"),
        ("https://u:p?q@r@example.org", "https://***@example.org"),
        ("https://example.org:80/a@b", "https://example.org:80/a@b"),
        ("https://[::1]/a@b", "https://[::1]/a@b"), ("https://[::1]:x/a@b", "https://[::1]:x/a@b"),
        ("https://a@b@example.org/", "https://***@example.org/"),
        ("https://example.org/?mail=a@b", "https://example.org/?mail=a@b"),
        ("https://h/?token=S3CRET&x=1", "https://h/?token=***&x=1"),
        ("https://h/?x=1&Sig=abc%2Fdef", "https://h/?x=1&Sig=***"),
        ("https://h/?a=1;password=b;c&d=e", "https://h/?a=1;password=***&d=e"),
        ("https://h/?access_token=a=b", "https://h/?access_token=***"),
        ("https://h/?token=&x=", "https://h/?token=&x="),
        (
            "https://h/?X-Amz-Credential=a&X-Amz-Date=b&x-goog-anything=c",
            "https://h/?X-Amz-Credential=***&X-Amz-Date=***&x-goog-anything=***"
        ),
        ("https://h/#access_token=abc", "https://h/#access_token=***"),
        ("https://h/?%74oken=abc", "https://h/?%74oken=***"),
        ("https://h/?token", "https://h/?token"),
        ("https://h/?next=https://u:p@i/&key=1", "https://h/?next=https://***@i/&key=***"),
        ("", ""), ("?", "?"), (":", ":"), ("://", "://"), ("a://@", "a://@"), ("%", "%"),
    ])
    func urls(url: String, masked: String) {
        #expect(Redactor().url(url) == masked)
    }

    @Test(arguments: [
        "token", "TOKEN", "accessToken", "access_token", "api-key", "apikey", "apiKey", "AWSAccessKeyId", "sig",
        "Signature", "client_secret", "userpassword", "pwd", "auth", "oauth_signature", "credential", "Key-Pair-Id",
        "x-amz-foo", "X-Goog-Signature", "key2", "my.secret", "jwt",
    ])
    func credentialNames(name: String) {
        #expect(Redactor().url("https://h/?\(name)=v") == "https://h/?\(name)=***")
    }

    @Test(arguments: [
        "monkey", "design", "author", "keyword", "tokenize", "page", "signal", "passage", "x-amzn", "compass", "file",
    ])
    func otherNames(name: String) {
        #expect(Redactor().url("https://h/?\(name)=v") == "https://h/?\(name)=v")
    }

    @Test(arguments: [
        ("nothing to mask: 100 % done", "nothing to mask: 100 % done"),
        ("'https://u:p@h/a' and \"ftp://v:q@i/b\"", "'https://***@h/a' and \"ftp://***@i/b\""),
        ("<https://h/?token=abc> gave 403", "<https://h/?token=***> gave 403"),
        ("GET /a?sig=abc&x=1 HTTP/1.1", "GET /a?sig=***&x=1 HTTP/1.1"),
        ("Authorization: Bearer abc\r\nHost: h", "Authorization: ***\r\nHost: h"),
        ("proxy-authorization:Basic abc", "proxy-authorization:***"),
        ("Set-Cookie: a=b; Path=/\nCookie: c=d", "Set-Cookie: ***\nCookie: ***"),
        ("is 1:2 :// a cookie? no: Authorization:", "is 1:2 :// a cookie? no: Authorization:"),
        // What is masked already may stand in a sentence.
        ("403 (https://h/?x=1&sig=***)", "403 (https://h/?x=1&sig=***)"),
        ("(https://h/?sig=***abc)", "(https://h/?sig=***"),
        ("https://h/?next=https://u:p@i/", "https://h/?next=https://***@i/"),
    ])
    func texts(text: String, masked: String) {
        #expect(Redactor().text(text) == masked)
    }

    @Test(arguments: [
        ("the password is hunter2&co!", "the password is ***!"),
        ("hunter2%26co and %68unter2%26co", "*** and ***"),
        ("hunter2", "hunter2"),
        // user:hunter2&co in Base64, as Basic authentication sends it; the digits it shares with others are left.
        ("dXNlcjpodW50ZXIyJmNv", "dXNlcjp***"),
        ("x hunter2&cohunter2&co b", "x *** b"),
        ("two words", "***"), ("two+words two%20words", "*** ***"),
        ("p=a, pa=ab, 'a'", "p=***, pa=ab, '***'"),
        ("line one is long\n", "***\n"),
        ("\u{E9}t\u{E9}-2026 e\u{301}", "*** e\u{301}"),
        ("%C3%A9t%c3%a9-2026", "***"),
    ])
    func knownSecrets(text: String, masked: String) {
        let redactor = Redactor(
            secrets: ["hunter2&co", "two words", "a", "line one is long\nline two is long", "", "\u{E9}t\u{E9}-2026"])
        #expect(redactor.text(text) == masked)
        #expect(redactor.url(text) == masked)
    }

    @Test func aLongerSecretGoesBeforeAShorterOneInIt() {
        #expect(Redactor(secrets: ["secret", "secret-and-more"]).text("x secret-and-more secret y") == "x *** *** y")
    }

    @Test func base64IsFoundAtEveryOffset() {
        let secret = "correct horse"
        let encoded = [
            "Y29ycmVjdCBob3JzZQ==", "YWNvcnJlY3QgaG9yc2U=", "YWFjb3JyZWN0IGhvcnNl", "YWFhY29ycmVjdCBob3JzZQ",
        ]
        for text in encoded {
            let masked = Redactor(secrets: [secret]).text("Basic \(text)")
            #expect(masked.contains("***"))
            #expect(masked.count < "Basic ".count + 12)
        }
    }

    /// As a server quotes what it was sent, and a program what it was given.
    @Test(arguments: [
        (#"{"key": "a\/b+c\"d\\e"}"#, #"{"key": "***"}"#),
        (#"{"key": "a\u002fb+c\u0022d\u005Ce"}"#, #"{"key": "***"}"#),
        ("<p>a/b+c&quot;d\\e</p>", "<p>***</p>"), ("a&#47;b&#x2B;c&#34;d&#x5c;e.", "***."),
        (#"{"key": "caf\u00e9 \ud83d\ude00"}"#, #"{"key": "***"}"#), ("caf&#233; &#128512;", "***"),
        // Two backslashes of the secret are no escape.
        (#"C:\\n\x"#, "***"), (#"C:\\\\n\\x"#, "***"),
        (#"a\/b+c\"#, #"a\/b+c\"#), ("a/b+c&quot", "a/b+c&quot"), (#"caf\ud83d"#, #"caf\ud83d"#),
    ])
    func escapesOfOtherTextsHideNothing(_ text: String, _ masked: String) {
        let redactor = Redactor(secrets: [#"a/b+c"d\e"#, "café 😀", #"C:\\n\x"#])
        #expect(redactor.text(text) == masked)
    }

    /// `base64` begins a new line after 76 digits.
    @Test func base64IsFoundInLines() {
        let secret = String(repeating: "correct horse ", count: 10)
        var lines = "", rest = Base64.text(Array(secret.utf8))[...]
        while !rest.isEmpty {
            lines += rest.prefix(76) + "\r\n"
            rest = rest.dropFirst(76)
        }
        let masked = Redactor(secrets: [secret]).text(lines)
        #expect(masked.hasPrefix("***") && masked.count < 12, "\(masked)")
    }

    @Test func hostileTextTakesLinearTime() {
        let text = String(repeating: "://a?token=", count: 20_000) + String(repeating: "%", count: 50_000)
        #expect(Redactor(secrets: ["%%%%%%%%x", "hunter22"]).text(text).count < text.count)
        // Authorities without a port that can be read, whose `@` may stand far behind.
        let late = String(repeating: "://a:b/", count: 20_000)
        #expect(Redactor(secrets: []).text(late + "@") == "://***@")
        #expect(Redactor(secrets: []).text(late) == late)
    }
}
