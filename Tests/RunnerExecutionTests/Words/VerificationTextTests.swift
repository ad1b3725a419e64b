import RunnerJob
import RunnerTransfer
import Testing

@testable import RunnerExecution
@testable import RunnerStorage

@Suite struct VerificationTextTests {
    static let redactor = Redactor()
    static let evidence = Fault.Evidence(url: "http://a.test/f", status: 200, contentType: "text/html")

    static func digest(_ text: String) throws -> Digest {
        try DigestSet.digest(of: Array(text.utf8), by: .sha256)
    }

    static func sentence(_ failure: VerificationFailure, bytes: String = "abc") -> String {
        let fault = Verification.Fault(
            failures: [failure], evidence: FileEvidence(size: Int64(bytes.utf8.count), firstBytes: Array(bytes.utf8)))
        return VerificationText.sentence(fault, evidence, redactor)
    }

    @Test(arguments: [
        (VerificationFailure.size(expected: 10, actual: 3), "the size is 3, wanted is 10"),
        (.tooSmall(minimum: 10, actual: 3), "3 bytes came, expect.min_size is 10"),
        (.tooLarge(maximum: 2, actual: 3), "3 bytes came, expect.max_size is 2"),
        (.type(expected: .notHTML, found: nil), "an HTML page came"),
        (.markup, "a page or a message in mark-up came, which is no file of that name"),
        (.type(expected: .zip, found: .gzip), "the file is of type gzip, wanted is zip"),
        (.type(expected: .zip, found: nil), "the file is of another type, wanted is zip"),
    ])
    func everyFailureHasItsSentence(_ failure: VerificationFailure, sentence: String) {
        #expect(
            Self.sentence(failure) == sentence
                + "; 3 bytes came from http://a.test/f, status 200, content type text/html, beginning with \"abc\"")
    }

    @Test func bothDigestsAreShownInFull() throws {
        let (wanted, got) = (try Self.digest("x"), try Self.digest("abc"))
        let sentence = Self.sentence(.digest(expected: wanted, actual: got))
        #expect(sentence.contains(wanted.hex) && sentence.contains(got.hex) && sentence.contains("sha256"))
        #expect(Self.sentence(.digestNotComputed(wanted)).contains("was not computed"))
    }

    @Test func theDigestOfNothingIsRecognised() throws {
        let failure = VerificationFailure.digest(expected: try Self.digest(""), actual: try Self.digest("abc"))
        #expect(Self.sentence(failure).contains("the digest of an empty file"))
        let fault = Verification.Fault(failures: [failure], evidence: FileEvidence(size: 3, firstBytes: [1]))
        #expect(VerificationText.advice(fault)?.contains("empty file") == true)
    }

    @Test func aPageIsSeenAtAGlance() {
        let page = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>"
        #expect(Self.sentence(.size(expected: 9, actual: 3), bytes: page).contains("an HTML page titled \"Sign in\""))
        let fault = Verification.Fault(
            failures: [.size(expected: 9, actual: 3)], evidence: FileEvidence(size: 3, firstBytes: Array(page.utf8)))
        #expect(VerificationText.advice(fault)?.contains("browser") == true)
    }

    @Test func severalFailuresAreTold() {
        let fault = Verification.Fault(
            failures: [.size(expected: 10, actual: 3), .type(expected: .zip, found: nil)],
            evidence: FileEvidence(size: 0, firstBytes: []))
        let sentence = VerificationText.sentence(fault, Self.evidence, Self.redactor)
        #expect(sentence.contains("wanted is 10, and the file is of another type"))
        #expect(!sentence.contains("beginning"))
    }

    @Test(arguments: [
        (ChecksumListError.empty, "empty"), (.tooLong(bytes: 99), "99 bytes"), (.utf16, "UTF-16"),
        (.page(title: nil), "HTML page"), (.page(title: "Login"), "\"Login\""),
        (.noEntries(firstBytes: "abc"), "\"abc\""),
        (.noEntry(name: "f", entries: 3, first: [], unreadableLines: []), "no checksum for f among 3 entries"),
        (.noEntry(name: "f", entries: 1, first: ["g"], unreadableLines: []), "no checksum for f among 1 entry (g)"),
        (.noEntry(name: "f", entries: 2, first: ["g"], unreadableLines: []), "among 2 entries (g, …)"),
        (.noEntry(name: "f", entries: 3, first: [], unreadableLines: [1, 2, 3, 4, 5, 6]), "lines: 1, 2, 3, 4, 5"),
    ])
    func everyFaultOfAListHasItsSentence(_ error: ChecksumListError, part: String) {
        #expect(ChecksumListText.sentence(error).contains(part))
        let failure = FaultText(redactor: Redactor(secrets: ["hidden"])).failure(error, list: "hidden/SUMS")
        #expect(failure.message.contains("/SUMS: ") && !failure.message.contains("hidden"))
        #expect(failure.advice != nil)
    }

    @Test func aContradictionShowsBoth() throws {
        let (one, other) = (try Self.digest("1"), try Self.digest("2"))
        let sentence = ChecksumListText.sentence(.contradiction(name: "f", one, other))
        #expect(sentence.contains(one.hex) && sentence.contains(other.hex))
        let listed = ChecksumListText.sentence(.notWanted(name: "f", listed: one, wanted: other))
        #expect(listed == "the checksum list says \(one) for f, wanted is \(other)")
        let pinned = ChecksumListText.sentence(.notPinned(one, actual: other))
        #expect(pinned.hasSuffix("its sha256 digest is \(other.hex), wanted is \(one.hex)"))
    }
}
