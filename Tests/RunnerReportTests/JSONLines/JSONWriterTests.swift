import Testing

@testable import RunnerReport

@Suite("JSONWriter")
struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func structure() {
        let text = text { json in
            json.object { json in
                json.key("empty")
                json.object { _ in }
                json.key("none")
                json.array(of: [] as [Int]) { $0.integer($1) }
                json.key("list")
                json.array(of: 1...3) { $0.integer($1) }
                json.key("objects")
                json.array(of: ["a", "b"]) { json, value in json.object { $0.member("v", value) } }
                json.flag("yes")
                json.member("absent", nil as String?)
                json.member("low", Int64.min)
            }
            json.newLine()
            json.object { _ in }
        }
        #expect(
            text == #"{"empty":{},"none":[],"list":[1,2,3],"objects":[{"v":"a"},{"v":"b"}],"yes":true,"#
                + #""low":-9223372036854775808}"# + "\n{}")
    }

    @Test(arguments: [
        ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{0}\u{8}\u{C}", #""\u0000\u0008\u000c""#),
        ("\n\r\t", #""\n\r\t""#), ("é\u{301}日😀", "\"é\u{301}日😀\""), ("\u{7F}", "\"\u{7F}\""),
    ])
    func strings(value: String, json: String) {
        #expect(text { $0.string(value) } == json)
    }

    /// Bytes are looked at eight at a time: each place of such a word, and each byte, with all kinds of neighbours.
    @Test(arguments: 0..<20)
    func whatNeedsAnEscapeIsFoundAnywhere(_ place: Int) {
        for neighbour in ["x", " ", "!", "#", "[", "]", "\u{7F}", "é", "\u{80}"] {
            for scalar in (0..<0x80).map({ Unicode.Scalar(UInt8($0)) }) {
                let before = String(repeating: neighbour, count: place)
                let after = String(repeating: neighbour, count: 19 - place)
                let found = text { $0.string(before + String(scalar) + after) }
                #expect(found == "\"" + before + Self.escaped(scalar) + after + "\"")
            }
        }
    }

    /// As RFC 8259 section 7 has it, in the shortest way.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\" + String(scalar)
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.value < 0x10: "\\u000" + String(scalar.value, radix: 16)
        case _ where scalar.value < 0x20: "\\u00" + String(scalar.value, radix: 16)
        default: String(scalar)
        }
    }

    @Test(arguments: [0, 9, 10, 99, 100, 12_345_678_901, UInt64.max - 1, .max])
    func numbers(_ value: UInt64) {
        #expect(text { $0.integer(value) } == String(value))
        #expect(text { $0.member("key", value) } == "\"key\":\(value)")
    }

    @Test func numbersBelowZero() {
        #expect(text { $0.member("key", Int64.min) } == "\"key\":-9223372036854775808")
    }

    @Test(arguments: [
        "", "short", "longer than a register of the processor", "a \"quoted\" word", "back\\slash", "line\n",
    ])
    func aMemberIsAKeyAndItsValue(_ value: String) {
        let apart = text { json in
            json.key("key")
            json.string(value)
        }
        #expect(text { $0.member("key", value) } == apart)
        let two = text { json in
            json.member("key", value)
            json.member("key", value)
        }
        #expect(two == "\(apart),\(apart)")
    }

    @Test(arguments: [
        (Duration.zero, "0"), (.milliseconds(1), "1"), (.microseconds(1), "0.001"), (.microseconds(1_250), "1.25"),
        (.microseconds(1_200_100), "1200.1"), (.nanoseconds(999), "0"), (.seconds(3_600), "3600000"),
        (.milliseconds(-2), "-2"), (.microseconds(-1_500), "-1.5"), (.microseconds(-500), "-0.5"),
        (.seconds(Int64.max), "9223372036854775.807"), (.seconds(Int64.min), "-9223372036854775.808"),
    ])
    func durations(value: Duration, json: String) {
        #expect(text { $0.member("key", value) } == "\"key\":" + json)
    }
}
