import RunnerJob
import RunnerStorage
import RunnerTransfer

/// Bytes that are not what was asked for, in words that end the search for the cause.
enum VerificationText {
    static func sentence(_ fault: Verification.Fault, _ evidence: Fault.Evidence, _ redactor: Redactor) -> String {
        let reasons = fault.failures.map(sentence).joined(separator: ", and ")
        return "\(reasons); \(look(fault.evidence, evidence, redactor))"
    }

    private static func sentence(_ failure: VerificationFailure) -> String {
        switch failure {
        case .size(let expected, let actual): "\(actual) bytes came, the job says size: \(expected)"
        case .digest(let expected, let actual):
            "the \(expected.algorithm.rawValue) digest is \(actual.hex), wanted is \(expected.hex)"
                + (failure.wantsDigestOfNothing ? " (the digest of an empty file)" : "")
        case .digestNotComputed(let digest): "the \(digest.algorithm.rawValue) digest was not computed"
        case .tooSmall(let minimum, let actual): "\(actual) bytes came, expect.min_size is \(minimum)"
        case .tooLarge(let maximum, let actual): "\(actual) bytes came, expect.max_size is \(maximum)"
        case .type(let expected, let found):
            expected == .notHTML
                ? "an HTML page came"
                : "the file is \(found.map { "of type \($0.rawValue)" } ?? "of another type"), wanted is \(expected.rawValue)"
        }
    }

    private static func look(_ file: FileEvidence, _ reply: Fault.Evidence, _ redactor: Redactor) -> String {
        var parts = ["\(file.size) bytes came from \(redactor.url(reply.url))"]
        if reply.status > 0 { parts.append("status \(reply.status)") }
        if let type = reply.contentType { parts.append("content type \(SafeText.of(Array(type.utf8)))") }
        if let page = file.page {
            parts.append(page.title.map { "an HTML page titled \"\($0)\"" } ?? "an HTML page")
        }
        if file.size > 0 { parts.append("beginning with \"\(file.firstBytes)\"") }
        return parts.joined(separator: ", ")
    }

    static func advice(_ fault: Verification.Fault) -> String? {
        if fault.failures.contains(where: \.wantsDigestOfNothing) {
            return "the digest in the job is that of an empty file; put the right one in"
        }
        if fault.evidence.page != nil {
            return "open the URL in a browser: the server may want a login, or has moved the file"
        }
        switch fault.failures.first {
        case .digest, .size: return "compare with the publisher's value; do not use the file from this source"
        default: return nil
        }
    }
}
