import RunnerJob
import RunnerStorage
import RunnerTransfer

/// Bytes that are not what was asked for, in words that end the search for the cause.
enum VerificationText {
    static func sentence(_ fault: Verification.Fault, _ evidence: Fault.Evidence, _ redactor: Redactor) -> String {
        let reasons = fault.failures.map(sentence).joined(separator: ", and ")
        return "\(reasons); \(look(fault.evidence, evidence, redactor))"
    }

    /// The values that a failure sets against each other; nil where there are none.
    static func difference(_ failure: VerificationFailure) -> TaskFailure.Difference? {
        switch failure {
        case .size(let expected, let actual):
            TaskFailure.Difference("size", wanted: String(expected), found: String(actual))
        case .digest(let expected, let actual):
            TaskFailure.Difference(expected.algorithm.rawValue, wanted: expected.hex, found: actual.hex)
        default: nil
        }
    }

    /// One failure, as part of a sentence.
    static func sentence(_ failure: VerificationFailure) -> String {
        switch failure {
        case .size(let expected, let actual): "the size is \(actual), wanted is \(expected)"
        case .digest(let expected, let actual):
            "the \(expected.algorithm.rawValue) digest is \(actual.hex), wanted is \(expected.hex)"
                + (failure.wantsDigestOfNothing ? " (the digest of an empty file)" : "")
        case .digestNotComputed(let digest): "the \(digest.algorithm.rawValue) digest was not computed"
        case .serverDigest(let sent, let actual):
            "the \(sent.digest.algorithm.rawValue) digest of \(sent.range.map(part) ?? "the file") is \(actual.hex), "
                + "the server's \(sent.field) says \(sent.digest.hex)"
        case .tooSmall(let minimum, let actual): "\(actual) bytes came, expect.min_size is \(minimum)"
        case .tooLarge(let maximum, let actual): "\(actual) bytes came, expect.max_size is \(maximum)"
        case .markup: "a page or a message in mark-up came, which is no file of that name"
        case .empty: "the file is empty"
        case .structure(let type, let flaw): "the file begins as \(type.rawValue), but \(sentence(flaw))"
        case .type(let expected, let found):
            expected == .notHTML
                ? "an HTML page came"
                : "the file is \(found.map { "of type \($0.rawValue)" } ?? "of another type"), wanted is \(expected.rawValue)"
        }
    }

    private static func sentence(_ flaw: ContentStructure.Flaw) -> String {
        switch flaw {
        case .noEnd: "it has no end mark, so that it is cut short or damaged"
        case .endsEarly(let declared): "it speaks of \(declared) bytes and is shorter"
        }
    }

    private static func part(_ range: Range<Int64>) -> String {
        "bytes \(range.lowerBound) to \(range.upperBound - 1)"
    }

    private static func look(_ file: FileEvidence, _ reply: Fault.Evidence, _ redactor: Redactor) -> String {
        var parts = ["\(file.size) bytes came from \(redactor.url(reply.url))"]
        if reply.status > 0 { parts.append("status \(reply.status)") }
        if let type = reply.contentType { parts.append("content type \(SafeText.of(Array(type.utf8)))") }
        if let page = file.page {
            parts.append(page.title.map { "an HTML page titled \"\($0)\"" } ?? "an HTML page")
        }
        if file.size > 0 { parts.append("beginning with \"\(file.firstBytes)\"") }
        return ([parts.joined(separator: ", ")] + guesses(file, reply) + kept(file, redactor)).joined(separator: "; ")
    }

    /// What the bytes may be instead of what was meant.
    private static func guesses(_ file: FileEvidence, _ reply: Fault.Evidence) -> [String] {
        var guesses: [String] = []
        if let coding = reply.contentEncoding?.lowercased(), coding != "identity" {
            let what = file.kind == .gzip && coding.contains("gzip") ? "a gzip" : "a coded form"
            guesses.append(
                "this may be \(what) of what was meant: the server applied Content-Encoding: "
                    + "\(SafeText.of(Array(coding.utf8))), which was not asked for")
        }
        switch file.disguise {
        case .lfsPointer: guesses.append("this is a Git LFS pointer, not the file that it stands for")
        case .unpacked: guesses.append("the name says gzip, but this is not compressed: it was unpacked on the way")
        case nil: break
        }
        switch file.serverAgrees {
        case true?:
            guesses.append(
                "the server's own digest fits these bytes: its file is another one than the job's digest means")
        case false?: guesses.append("the server's own digest does not fit either: the bytes changed on the way")
        case nil: break
        }
        return guesses
    }

    private static func kept(_ file: FileEvidence, _ redactor: Redactor) -> [String] {
        switch file.kept {
        case .at(let path)?: ["kept as \(path)"]
        case .failed(let error)?: ["it could not be kept: \(StorageText.sentence(error))"]
        case nil: []
        }
    }

    static func advice(_ fault: Verification.Fault) -> String? {
        if fault.failures.contains(where: \.wantsDigestOfNothing) {
            return "the digest in the job is that of an empty file; put the right one in"
        }
        if fault.evidence.page != nil || fault.failures.contains(.markup) {
            return "open the URL in a browser: the server may want a login, or has moved the file"
        }
        switch fault.failures.first {
        case .digest, .size: return "compare with the publisher's value; do not use the file from this source"
        case .serverDigest:
            return "the bytes were changed on the way, or the server's copy is damaged; try another source"
        default: return nil
        }
    }
}
