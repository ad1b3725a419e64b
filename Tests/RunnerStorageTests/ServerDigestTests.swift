import RunnerJob
import RunnerStorage
import Testing

@Suite struct ServerDigestTests {
    private func digest(_ text: String, _ algorithm: DigestAlgorithm = .sha256) throws -> Digest {
        try DigestSet.digest(of: Array(text.utf8), by: algorithm)
    }

    private func fault(_ text: String, _ sent: [ServerDigest], wanted: [Digest] = []) throws -> Verification.Fault? {
        let verification = Verification(digests: wanted)
        let file = MemoryFile(text)
        let actual = try FileHasher.digests(of: file, by: verification.algorithms(with: sent))
        return try verification.fault(in: file, actual: actual ?? [:], sent: sent)
    }

    @Test func holdsTheFileToWhatTheServerSaid() throws {
        let right = ServerDigest(field: "Repr-Digest", try digest("hello"))
        let wrong = ServerDigest(field: "Content-MD5", try digest("other", .md5))
        #expect(try fault("hello", [right]) == nil)
        let fault = try fault("hello", [right, wrong])
        #expect(fault?.failures == [.serverDigest(wrong, actual: try digest("hello", .md5))])
        #expect(fault?.faultClass == .integrity)
    }

    @Test func holdsEachPartToItsOwnDigest() throws {
        let right = ServerDigest(field: "Content-Digest", try digest("ell"), range: 1..<4)
        let wrong = ServerDigest(field: "Content-Digest", try digest("xx"), range: 3..<5)
        #expect(try fault("hello", [right]) == nil)
        #expect(try fault("hello", [right, wrong])?.failures == [.serverDigest(wrong, actual: try digest("lo"))])
    }

    @Test func aPartBeyondTheEndSaysNothing() throws {
        #expect(try fault("hello", [ServerDigest(field: "Content-Digest", try digest("x"), range: 4..<9)]) == nil)
    }

    @Test func aDigestOfTheJobHasTheLastWord() throws {
        let wrong = ServerDigest(field: "Content-MD5", try digest("other", .md5))
        #expect(try fault("hello", [wrong], wanted: [digest("hello")]) == nil)
        #expect(Verification(digests: [try digest("hello")]).algorithms(with: [wrong]) == [.sha256])
        // A weak one has not.
        #expect(try fault("hello", [wrong], wanted: [digest("hello", .sha1)])?.failures.count == 1)
    }

    @Test func computesWhatIsNotKnownYet() throws {
        let claim = ServerDigest(field: "Repr-Digest", try digest("other"))
        let file = MemoryFile("hello")
        #expect(try Verification().fault(in: file, actual: [:], sent: [claim])?.failures.count == 1)
    }

    @Test func computesEachAlgorithmOnceAndPartsLater() throws {
        let sent = [
            ServerDigest(field: "a", try digest("a", .md5)), ServerDigest(field: "b", try digest("b", .md5)),
            ServerDigest(field: "c", try digest("c"), range: 0..<1),
        ]
        #expect(Verification().algorithms(with: sent) == [.md5])
        #expect(Verification().algorithms(with: []) == [])
    }
}
