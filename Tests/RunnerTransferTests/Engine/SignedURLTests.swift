import RunnerTransfer
import Testing

@Suite("URLs that are signed")
struct SignedURLTests {
    @Test(arguments: [
        ("https://h/b/a", "https://h/b/a"),
        ("https://h", "https://h"),
        ("https://h/a b", "https://h/a%20b"),
        ("https://h/a+b=c!(d)", "https://h/a%2Bb%3Dc%21%28d%29"),
        ("https://h/a%2fb/c%C3%a9~", "https://h/a%2Fb/c%C3%A9~"),
        ("https://h/a%zz%4", "https://h/a%25zz%254"),
        ("https://h/?uploads", "https://h/?uploads="),
        ("https://h/a?b=2&a=1&b=1&A=x/y", "https://h/a?A=x%2Fy&a=1&b=1&b=2"),
        ("https://h:9000/a?x=%2B&y=a=b", "https://h:9000/a?x=%2B&y=a%3Db"),
        ("https://h/a?", "https://h/a"),
    ])
    func areWrittenAsServersSignThem(_ url: String, _ wanted: String) {
        #expect(SignedURL.normalized(url) == wanted)
        #expect(SignedURL.normalized(wanted) == wanted)
    }
}
