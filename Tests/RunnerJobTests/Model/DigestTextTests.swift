import RunnerJob
import Testing

@Suite struct DigestTextTests {
    /// SHA-256 of `abc` (FIPS 180-2, B.1).
    private static let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let sri = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

    @Test(arguments: [
        hex, hex.uppercased(), "sha256:" + hex, "SHA256:" + hex.uppercased(), "sha-256=" + hex, "sha256=" + hex,
        "SHA-256:" + hex, "sha_256:" + hex, "sha256-" + sri, "SHA256-" + sri, "  \(hex)  \n",
        "ba:78:16:bf:8f:01:cf:ea:41:41:40:de:5d:ae:22:23:b0:03:61:a3:96:17:7a:9c:b4:10:ff:61:f2:00:15:ad",
        "sha256:BA:78:16:BF:8F:01:CF:EA:41:41:40:DE:5D:AE:22:23:B0:03:61:A3:96:17:7A:9C:B4:10:FF:61:F2:00:15:AD",
    ])
    func readsEverySpelling(text: String) throws {
        #expect(try Digest.parse(text).map(\.description) == ["sha256:" + Self.hex])
        #expect(try Digest.parse(text, algorithm: .sha256).map(\.hex) == [Self.hex])
    }

    @Test(arguments: [
        (32, DigestAlgorithm.md5), (40, .sha1), (56, .sha224), (64, .sha256), (96, .sha384), (128, .sha512),
    ])
    func tellsBareDigitsByTheirNumber(digits: Int, algorithm: DigestAlgorithm) throws {
        let digest = try #require(try Digest.parse(String(repeating: "1e", count: digits / 2)).first)
        #expect(digest.algorithm == algorithm)
        #expect(digest.bytes == Array(repeating: 0x1E, count: digits / 2))
    }

    @Test(arguments: DigestAlgorithm.ofJobs)
    func knowsEveryName(algorithm: DigestAlgorithm) throws {
        let hex = String(repeating: "a5", count: algorithm.byteCount)
        for text in ["\(algorithm.rawValue):\(hex)", "\(algorithm.rawValue.uppercased())=\(hex)"] {
            #expect(try Digest.parse(text).map(\.description) == ["\(algorithm.rawValue):\(hex)"])
        }
        #expect(try Digest.parse(hex, algorithm: algorithm).map(\.algorithm) == [algorithm])
    }

    /// Under a key that names the algorithm, the number of digits tells one from the other.
    @Test(arguments: DigestAlgorithm.ofJobs)
    func readsBase64UnderTheNameOfAKey(algorithm: DigestAlgorithm) throws {
        let bytes = [UInt8](repeating: 0xA5, count: algorithm.byteCount)
        let digests = try Digest.parse(" \(Base64.text(bytes))\n", algorithm: algorithm)
        #expect(digests.map(\.algorithm) == [algorithm])
        #expect(digests.map(\.bytes) == [bytes])
        #expect(throws: DigestFault.self) { try Digest.parse(Base64.text(bytes)) }
        // A whole number of three bytes has no padding that would show what is meant.
        let short = Base64.text(Array(bytes.dropLast(algorithm.byteCount % 3 == 1 ? 2 : 1)))
        #expect(throws: DigestFault.badBase64(algorithm)) { try Digest.parse(short, algorithm: algorithm) }
    }

    @Test func readsTheNameWithASlash() throws {
        let hex = String(repeating: "0f", count: 32)
        #expect(try Digest.parse("sha512/256:\(hex)").map(\.algorithm) == [.sha512_256])
    }

    @Test func readsSeveralPartedByBlanks() throws {
        let digests = try Digest.parse("sha256-\(Self.sri)\n\tmd5:\(String(repeating: "0", count: 32))")
        #expect(digests.map(\.algorithm) == [.sha256, .md5])
    }

    @Test(
        arguments: [
            ("", DigestFault.empty), ("  ", .empty), ("sha256:", .empty), ("sha256=", .empty),
            ("sha999:" + hex, .unknownAlgorithm("sha999")), ("wat-" + sri, .unknownAlgorithm("wat")),
            (String(hex.dropLast()), .unknownLength(digits: 63)), (hex + "0", .unknownLength(digits: 65)),
            ("sha256:" + hex.dropLast(2), .wrongLength(digits: 62, algorithm: .sha256)),
            ("sha1:" + hex, .wrongLength(digits: 64, algorithm: .sha1)),
            ("sha256:" + hex.dropLast(), .wrongLength(digits: 63, algorithm: .sha256)),
            (hex.dropLast() + "g", .notHexadecimal), ("sha256:" + hex.dropLast() + "g", .notHexadecimal),
            (String(repeating: "０", count: 64), .notHexadecimal),
            ("ba:7816" + hex.dropFirst(6), .notHexadecimal), ("sha256:ba::78", .notHexadecimal),
            ("md5-rL0Y20zC+Fzt72VPzMSk2A==", .notSRIAlgorithm(.md5)),
            ("sha512-" + sri, .badBase64(.sha512)), ("sha256-" + sri.dropLast(), .badBase64(.sha256)),
            ("sha256-" + sri.dropLast() + "==", .badBase64(.sha256)), ("sha256-" + hex, .badBase64(.sha256)),
            // The last digit before the padding has bits that belong to no byte.
            ("sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa1=", .badBase64(.sha256)),
            ("sha256-ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0=", .badBase64(.sha256)),
        ] as [(String, DigestFault)])
    func refusesTheRest(text: String, fault: DigestFault) {
        #expect(throws: fault) { try Digest.parse(text) }
    }

    @Test func holdsTheTextAgainstTheAlgorithmOfItsKey() {
        #expect(throws: DigestFault.otherAlgorithm(found: .sha256, wanted: .sha1)) {
            try Digest.parse("sha256:" + Self.hex, algorithm: .sha1)
        }
        #expect(throws: DigestFault.wrongLength(digits: 64, algorithm: .sha1)) {
            try Digest.parse(Self.hex, algorithm: .sha1)
        }
    }

    @Test func suggestsTheAlgorithmThatWasMeant() {
        #expect(DigestFault.unknownAlgorithm("sha265").description.hasSuffix("; did you mean `sha256`?"))
    }
}
