import RunnerJob
import RunnerStorage
import Testing

@Suite struct VerificationTests {
    private func fault(
        _ file: MemoryFile, size: Int64? = nil, digests: [Digest] = [], change: (inout Expectations) -> Void = { _ in }
    ) throws -> Verification.Fault? {
        var expectations = Expectations()
        change(&expectations)
        let verification = Verification(size: size, digests: digests, expectations: expectations)
        let actual = try FileHasher.digests(of: file, by: verification.algorithms)
        return try verification.fault(in: file, actual: actual ?? [:])
    }

    private func digest(_ text: String, _ algorithm: DigestAlgorithm = .sha256) throws -> Digest {
        try DigestSet.digest(of: Array(text.utf8), by: algorithm)
    }

    @Test func findsNothingWrongWithTheRightFile() throws {
        let fault = try fault(
            MemoryFile("hello"), size: 5, digests: [digest("hello"), digest("hello", .md5)],
            change: { expect in
                expect.minSize = 5
                expect.maxSize = 5
                expect.type = .notHTML
            })
        #expect(fault == nil)
    }

    /// Names, and whether a page, and nothing at all, are refused under them.
    @Test(arguments: [
        ("a.zip", true, true), ("a.tar.gz", true, true), ("a.TAR", true, false), ("a.AppImage", true, true),
        ("a.squashfs", true, true), ("a.crate", true, true), ("a.cpio", true, true), ("a.Z", true, true),
        ("a.bmp", true, true), ("a.ico", true, true), ("a.run", true, false), ("a.html", false, false),
        ("a.php", false, false), ("a", false, false), (".zip", false, false), ("zip", false, false),
    ])
    func aNameMaySayThatNoPageIsMeant(_ name: String, _ refusesPage: Bool, _ refusesNothing: Bool) throws {
        let verification = Verification(name: name)
        #expect((try verification.fault(in: MemoryFile("<!DOCTYPE html><html>"), actual: [:]) != nil) == refusesPage)
        #expect((try verification.fault(in: MemoryFile(""), actual: [:]) != nil) == refusesNothing)
        #expect(try verification.fault(in: MemoryFile("hello"), actual: [:]) == nil)
    }

    @Test func tellsTheSizeBeforeTheDigest() throws {
        let (wanted, actual) = (try digest("hello!"), try digest("hello"))
        let fault = try fault(MemoryFile("hello"), size: 6, digests: [wanted])
        #expect(fault?.failures == [.size(expected: 6, actual: 5), .digest(expected: wanted, actual: actual)])
        #expect(fault?.faultClass == .integrity)
    }

    @Test func wantsEveryDigest() throws {
        let fault = try fault(MemoryFile("hello"), digests: [digest("hello", .md5), digest("other")])
        #expect(fault?.failures == [.digest(expected: try digest("other"), actual: try digest("hello"))])
    }

    @Test func refusesTwoDigestsOfOneAlgorithmThatDiffer() throws {
        let fault = try fault(MemoryFile("hello"), digests: [digest("hello"), digest("other")])
        #expect(fault?.failures.count == 1)
    }

    @Test func knowsTheDigestOfNothing() throws {
        let wanted = try fault(MemoryFile("hello"), digests: [digest("", .sha1)])
        #expect(wanted?.failures.first?.wantsDigestOfNothing == true)
        let other = try fault(MemoryFile("hello"), digests: [digest("other", .sha1)])
        #expect(other?.failures.first?.wantsDigestOfNothing == false)
        #expect(!VerificationFailure.size(expected: 0, actual: 1).wantsDigestOfNothing)
    }

    @Test func doesNotPassWhatWasNotComputed() throws {
        let wanted = try digest("hello")
        let fault = try Verification(digests: [wanted]).fault(in: MemoryFile("hello"), actual: [:])
        #expect(fault?.failures == [.digestNotComputed(wanted)])
        #expect(fault?.faultClass == .internal)
    }

    static let limits: [(Int64?, Int64?, FaultClass)] = [(6, nil, .content), (nil, 4, .tooLarge)]

    @Test(arguments: limits)
    func holdsTheSizeToItsLimits(_ minimum: Int64?, _ maximum: Int64?, _ faultClass: FaultClass) throws {
        let fault = try fault(MemoryFile("hello")) { expect in
            expect.minSize = minimum
            expect.maxSize = maximum
        }
        #expect(fault?.failures.count == 1)
        #expect(fault?.faultClass == faultClass)
    }

    @Test func showsWhatCameInstead() throws {
        let page = MemoryFile("\n<!DOCTYPE html>\n<html><head><title>Sign in\n to continue</title></head>")
        let fault = try fault(page) { $0.type = .zip }
        #expect(fault?.failures == [.type(expected: .zip, found: nil)])
        #expect(fault?.faultClass == .content)
        #expect(fault?.evidence.size == page.length)
        #expect(fault?.evidence.page?.title == "Sign in to continue")
        #expect(fault?.evidence.firstBytes.hasPrefix("<!DOCTYPE html> <html>") == true)
    }

    @Test func namesTheKindThatCameInstead() throws {
        let fault = try fault(MemoryFile([0x1f, 0x8b, 8, 0])) { $0.type = .zip }
        #expect(fault?.failures == [.type(expected: .zip, found: .gzip)])
        #expect(fault?.evidence.kind == .gzip)
        #expect(fault?.evidence.page == nil)
    }

    @Test func takesAllThatADownloadAsksFor() throws {
        var expect = Expectations()
        expect.minSize = 3
        let download = Download(
            sources: [], destination: .file(at("f")), digests: [try digest("a")], size: 9, expect: expect)
        let verification = Verification(of: download, listed: [try digest("b", .md5), try digest("c")])
        #expect(verification.size == 9)
        #expect(verification.algorithms == [.sha256, .md5])
        #expect(verification.digests.count == 3)
        #expect(verification.expectations == expect)
    }
}
