import RunnerStorage
import Testing

@Suite struct HTMLPageTests {
    static let pages: [(String, title: String?)] = [
        ("<!DOCTYPE html>", nil), ("<!doctype HTML PUBLIC>", nil), ("<html>", nil), ("<HTML lang=en>", nil),
        ("<html", nil),
        ("\u{feff}\r\n\t <html>", nil), ("<!-- a --> <!-- b --><html>", nil), ("<body>", nil), ("<h1>404</h1>", nil),
        ("<?xml version='1.0'?>\n<!DOCTYPE html><html>", nil), ("<br/>", nil), ("<script src=x>", nil), ("<p>no", nil),
        ("<html><head><TITLE id=x>Sign  in\n</Title>", "Sign in"), ("<title>cut off", "cut off"),
        ("<html><title></title>", nil), ("<html><title", nil),
        ("<html><title>\u{1b}[31mred\u{202e}</title>", "\\x1b[31mred\\u{202e}"),
    ]

    @Test(arguments: pages) func isKnown(_ text: String, _ title: String?) {
        let page = HTMLPage(Array(text.utf8))
        #expect(page != nil)
        #expect(page?.title == title)
    }

    @Test(arguments: [
        "", " ", "<", "<!--", "<!-- never ends <html>", "<?xml version='1.0'?><feed/>", "<article/>", "<bold>",
        "<paths>",
        "text <html>", "{\"a\": \"<html>\"}", "<?xml", "<svg>", "<headers>", "PK\u{3}\u{4}<html>",
    ])
    func isNotSeenWhereNoneIs(_ text: String) {
        #expect(HTMLPage(Array(text.utf8)) == nil)
    }

    @Test func isKnownInUTF16() {
        let page = HTMLPage([0xff, 0xfe] + "<html><title>Hi</title>".utf8.flatMap { [$0, 0] })
        #expect(page?.title == "Hi")
    }

    @Test func hasATitleOfBoundedLength() {
        let page = HTMLPage(Array("<title>\(String(repeating: "long ", count: 500))".utf8))
        #expect(page?.title?.count == 80)
    }
}
