import LibCrypto
import Testing

@Suite struct DigesterTests {
    /// Digests of `abc`, as FIPS 180-4, FIPS 202, RFC 1321 and RFC 7693 print them.
    static let known: [(name: String, hex: String)] = [
        ("MD5", "900150983cd24fb0d6963f7d28e17f72"),
        ("SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("SHA2-224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        ("SHA2-256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "SHA2-384",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            "SHA2-512",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        ("SHA2-512/256", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        ("SHA3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (
            "SHA3-384",
            "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"
        ),
        (
            "SHA3-512",
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
                + "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"
        ),
        (
            "BLAKE2B-512",
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        ),
        ("BLAKE2S-256", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
    ]

    private func digest(_ name: String, _ chunks: [String]) throws -> String {
        var digester = try Digester(name)
        for chunk in chunks {
            var chunk = chunk
            try chunk.withUTF8 { try digester.update(UnsafeRawBufferPointer($0)) }
        }
        return try digester.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(arguments: known) func givesThePublishedDigest(_ name: String, _ hex: String) throws {
        #expect(try digest(name, ["abc"]) == hex)
    }

    @Test(arguments: known) func doesNotCareHowTheBytesAreCut(_ name: String, _ hex: String) throws {
        #expect(try digest(name, ["a", "", "bc"]) == hex)
    }

    @Test func hashesNothing() throws {
        #expect(
            try digest("SHA2-256", []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func namesAnUnknownAlgorithm() {
        let error = #expect(throws: CryptoError.self) { _ = try Digester("no-such-digest") }
        #expect(error?.subject == "no-such-digest")
        #expect(error?.call == "EVP_MD_fetch")
        #expect(error?.code != 0)
        #expect(error?.text.contains("unsupported") == true)
    }

    /// Run under the address sanitizer this finds a context that is not freed.
    @Test func frees() throws {
        for _ in 0..<100 {
            var dropped = try Digester("SHA2-256")
            try withUnsafeBytes(of: 7) { try dropped.update($0) }
        }
    }

    @Test func runsOnManyThreads() async throws {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { (try? digest("SHA3-256", ["abc"])) == Self.known[7].hex }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
