import RunnerJob
import RunnerTransfer
import Testing

/// What a store says of an error.
@Suite struct ErrorDocumentTests {
    private func document(_ text: String) -> ErrorDocument? { ErrorDocument(Array(text.utf8)) }

    private func error(_ code: String, _ more: String = "") -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(code)</Code>\(more)</Error>"
    }

    @Test func readsCodeAndMessage() throws {
        let found = try #require(document(error("SlowDown", "<Message>a &lt; b</Message><RequestId>4</RequestId>")))
        #expect(found.code == "SlowDown" && found.message == "a < b")
        #expect(document(error("NoSuchKey"))?.message == nil)
    }

    @Test(arguments: [
        "<ErrorResponse xmlns=\"https://sts.example/\"><Error><Type>Sender</Type><Code>Throttling</Code></Error></ErrorResponse>",
        "<s:Error xmlns:s=\"u\"><s:Code>Throttling</s:Code></s:Error>",
        "<Error><Code>Throttling</Code><Message>cut off in the mid",
        "<Error><Detail><Code>Other</Code></Detail><Code>Throttling</Code><Code>Third</Code></Error>",
    ])
    func findsTheCodeInEveryForm(_ text: String) {
        #expect(document(text)?.code == "Throttling" && document(text)?.message == nil)
    }

    @Test(arguments: [
        "", "SlowDown", "<html><Code>SlowDown</Code></html>", "<Error><Code></Code></Error>",
        "<Error><Code>Slow", "<Error><Code>two words</Code></Error>", "<Error><Code>a\u{1B}[1m</Code></Error>",
        "<ListBucketResult><Error/><Code>SlowDown</Code></ListBucketResult>",
        "<!DOCTYPE Error><Error><Code>SlowDown</Code></Error>",
    ])
    func whatNamesNoCodeIsNone(_ text: String) {
        #expect(document(text) == nil)
    }

    @Test func aCodeThatIsTooLongIsNone() {
        #expect(document(error(String(repeating: "a", count: 64))) != nil)
        #expect(document(error(String(repeating: "a", count: 65))) == nil)
    }

    // MARK: - What it means

    private func fault(_ status: Int, _ code: String) -> Fault? {
        let head = Sample.head(status) { $0.document = document(error(code)) }
        if case .fault(let fault) = ReplyRules.meaning(of: head, for: .whole, expecting: []) { return fault }
        return nil
    }

    @Test(
        arguments: [
            (503, "SlowDown", .rateLimited), (400, "RequestTimeout", .server), (403, "ServiceUnavailable", .server),
            (409, "OperationAborted", .server), (500, "NoSuchKey", .notFound), (400, "ExpiredToken", .auth),
            (503, "AccessDenied", .auth), (200, "InternalError", .server), (200, "Unheard", .client),
            (500, "Unheard", .server), (404, "Unheard", .notFound), (400, "EntityTooLarge", .client),
            (301, "PermanentRedirect", .client),
        ] as [(Int, String, FaultClass)])
    func theCodeDecides(_ status: Int, _ code: String, _ wanted: FaultClass) {
        let fault = fault(status, code)
        #expect(fault?.faultClass == wanted && fault?.cause == .status(status))
        #expect(fault?.document?.code == code)
    }

    @Test func aRangeBeyondTheEndIsReadFromTheHead() {
        let head = Sample.head(416, range: "bytes */500") { $0.document = document(error("InvalidRange")) }
        let goal = RequestGoal.rest(of: nil)
        #expect(ReplyRules.meaning(of: head, for: goal, expecting: []) == .alreadyWhole(500))
    }
}
