import Testing

@testable import RunnerJob

@Suite struct BinaryTextTests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{0}\u{7F}~?>", "AH9+Pz4="),
    ])
    func writesAndReadsBase64(text: String, encoded: String) {
        #expect(Base64.text(Array(text.utf8)) == encoded)
        #expect(Base64.bytes(encoded.utf8) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9", "Zm=v", "=", "====", "Zm9v\n", "Zm-_", "Zg==Zg=="])
    func refusesWhatIsNotCanonical(encoded: String) {
        #expect(Base64.bytes(encoded.utf8) == nil)
    }

    @Test func readsHexadecimalDigits() {
        #expect(Hexadecimal.bytes("00fFa9".utf8) == [0x00, 0xFF, 0xA9])
        #expect(Hexadecimal.bytes("0".utf8) == nil)
        #expect(Hexadecimal.bytes("0g".utf8) == nil)
        #expect(Hexadecimal.bytes("".utf8) == [])
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("%41%2541", "A%41"), ("x%", "x%"), ("x%4", "x%4"), ("%zz%41", "%zzA"), ("%E6%97%A5", "日"),
        ("%%41", "%A"),
    ])
    func resolvesEscapesOnce(encoded: String, text: String) {
        #expect(PercentEncoding.decode(encoded.utf8) == Array(text.utf8))
    }

}
