import Testing

@testable import RunnerTransfer

@Suite struct ContentDispositionTests {
    private func name(_ field: String) -> String? { ContentDisposition.fileName(field.utf8) }

    @Test(arguments: [
        ("attachment; filename=\"report 1.pdf\"", "report 1.pdf"), ("inline; filename=a.txt", "a.txt"),
        ("Attachment;FILENAME=a.txt", "a.txt"), ("attachment; filename = \"a.txt\" ;", "a.txt"),
        ("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"), ("attachment; filename=\"50%.txt\"", "50%.txt"),
        ("attachment; x=\"a;b=\\\"\"; filename=c", "c"), ("attachment; filename=a b.txt", "a b.txt"),
        ("attachment; filename*=UTF-8''na%C3%AFve%20%e2%82%ac.txt", "naïve €.txt"),
        ("attachment; filename=\"plain.txt\"; filename*=utf-8'en'better.txt", "better.txt"),
        ("attachment; filename*=ISO-8859-1''%E4.txt", "ä.txt"), ("attachment; filename* = UTF-8''a.txt;", "a.txt"),
        ("attachment; filename*=UTF-8''bad%; filename=good.txt", "good.txt"),
        ("attachment; filename*=KOI8-R''%C1; filename=good.txt", "good.txt"),
        ("attachment; filename=one; filename=two", "one"), ("attachment; junk; filename=a.txt", "a.txt"),
        ("attachment; filename=\"é.txt\"", "é.txt"), ("attachment; filename=\"C:\\\\tmp\\\\a.txt\"", "a.txt"),
        ("attachment; filename=\"  a.txt  \"", "a.txt"),
    ])
    func readsNames(field: String, expected: String) {
        #expect(name(field) == expected)
    }

    @Test(arguments: [
        "", "attachment", "filename=a.txt", "\"inline\"", ": attachment; filename=a", "attachment; xfilename=a",
        "attachment; filename=\"\"", "attachment; filename=\"   \"", "attachment; filename=\".\"",
        "attachment; filename=\"..\"", "attachment; filename=\".profile\"", "attachment; filename=\"../../x\"",
        "attachment; filename=\"/etc/x\"", "attachment; filename*=UTF-8''a%2Fb", "attachment; filename*=UTF-8''a%00",
        "attachment; filename*=\"UTF-8''a.txt\"", "attachment; filename *=UTF-8''a.txt",
        "attachment; filename*=UTF-8'a.txt", "attachment; filename*=UTF-8''%C3", "attachment; filename=\"a",
        "attachment; filename=\"a\"b", "attachment; filename=\"a\u{1}\"", "attachment; filename=\"a\u{85}\"",
    ])
    func refusesWhatIsNone(field: String) {
        #expect(name(field) == nil)
    }

    @Test func takesOldBytesForLatin1() {
        #expect(ContentDisposition.fileName(Array("a; filename=\"".utf8) + [0xE4] + Array("\"".utf8)) == "ä")
    }

    @Test func refusesNamesThatNoDiskTakes() {
        #expect(name("a; filename=\(String(repeating: "x", count: 255))") != nil)
        #expect(name("a; filename=\(String(repeating: "日", count: 86))") == nil)
    }
}
