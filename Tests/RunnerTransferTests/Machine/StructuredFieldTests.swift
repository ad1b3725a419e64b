import RunnerTransfer
import Testing

@Suite struct StructuredFieldTests {
    static let sequences: [(String, [UInt8]?)] = [
        (":AQID:", [1, 2, 3]), ("  :AQID:  ", [1, 2, 3]), ("::", []),
        (":AQ==:", [1]), (":AQ:", [1]), (":AR==:", [1]), (":+/+/:", [0xfb, 0xff, 0xbf]),
        (":AQID", nil), (":A:", nil), (":  :", nil), (":AQ ID:", nil), (":AQ=ID:", nil), (":", nil),
        (":AQID::", nil),
    ]

    @Test(arguments: sequences)
    func readsByteSequences(_ text: String, _ bytes: [UInt8]?) {
        #expect(StructuredField.item(text)?.item == bytes.map { .bytes($0) })
    }

    static let items: [(String, StructuredField.Item?)] = [
        ("42", .integer(42)), ("-7", .integer(-7)), ("999999999999999", .integer(999_999_999_999_999)),
        ("1000000000000000", nil), ("-", nil), ("1.5", .decimal(1.5)), ("1.", nil), ("1.2345", nil),
        ("\"a \\\"b\\\\\"", .string("a \"b\\")), ("\"a", nil), ("\"\\n\"", nil), ("\"\u{e9}\"", nil),
        ("foo/bar*", .token("foo/bar*")), ("*x", .token("*x")), ("?1", .boolean(true)), ("?0", .boolean(false)),
        ("?2", nil), ("@1659578233", .date(1_659_578_233)), ("@1.5", nil), ("%\"f%c3%bc\"", .display("fü")),
        ("%\"%C3\"", nil), ("%\"%c3\"", nil), ("", nil), ("a b", nil),
    ]

    @Test(arguments: items)
    func readsItems(_ text: String, _ item: StructuredField.Item?) {
        #expect(StructuredField.item(text)?.item == item)
    }

    @Test func readsADictionary() throws {
        let read = try #require(StructuredField.dictionary("a=1;q=2;r, b,\t c=(1 \"x\");w=?0, d=:AQ==:"))
        #expect(read.map(\.key) == ["a", "b", "c", "d"])
        #expect(read[0].member.parameters.map(\.name) == ["q", "r"])
        #expect(read[0].member.parameters.map(\.value) == [.integer(2), .boolean(true)])
        #expect(read[1].member.item == .boolean(true))
        #expect(read[2].member.items == [.integer(1), .string("x")])
        #expect(read[2].member.item == nil)
        #expect(read[3].member.item == .bytes([1]))
    }

    @Test func theLastValueOfAKeyWins() {
        let read = StructuredField.dictionary("a=1, b=2, a=3")
        #expect(read?.map(\.key) == ["a", "b"])
        #expect(read?.first?.member.item == .integer(3))
    }

    @Test(arguments: ["a=1,", "a=1,,b=2", "A=1", "a=", "a=(1", "a=(1 2)3", "a=1 b=2", "=1", "a=1;"])
    func aFieldWithAFaultIsNoField(_ text: String) {
        #expect(StructuredField.dictionary(text) == nil)
    }

    @Test func readsLists() {
        #expect(StructuredField.list("a, (b c), 3")?.count == 3)
        #expect(StructuredField.list("")?.isEmpty == true)
        #expect(StructuredField.list("a,") == nil)
    }
}
