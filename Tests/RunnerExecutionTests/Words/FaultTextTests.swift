import RunnerJob
import RunnerTransfer
import Testing

@testable import RunnerExecution
@testable import RunnerStorage

@Suite struct FaultTextTests {
    static let words = FaultText(redactor: Redactor(secrets: ["hunter2"]))
    static let evidence = Fault.Evidence(url: "http://a.test/f", status: 200, contentType: "text/html")
    static let refuted = Verification.Fault(
        failures: [.size(expected: 10, actual: 5)], evidence: FileEvidence(size: 5, firstBytes: Array("hello".utf8)))

    @Test func aTaskThatNeverAskedNamesNoURL() {
        let fault = Fault(.connect, .originDown(.transport(code: 7, text: "no way")))
        #expect(Self.words.failure(fault, url: "", sources: [("", fault)]).message.hasSuffix("thus: no way"))
        #expect(Self.words.failure(fault, url: "", sources: []).message.hasSuffix("thus: no way"))
    }

    /// One of each cause, and a word of its sentence.
    static let causes: [(Fault.Cause, String)] = [
        (.status(404), "404 Not Found"), (.status(418), "answered 418"),
        (.unexpectedStatus(206, wanted: Set(200...299).subtracting([206])), "status 200 to 205 or 207 to 299"),
        (.unexpectedStatus(200, wanted: [404, 201, 200]), "status 200 or 201 or 404"),
        (.unexpectedStatus(200, wanted: [203, 201]), "answered 200; `expect` asks for status 201 or 203"),
        (.askedEarlier, "asked an earlier run"),
        (
            .waitTooLong(status: nil, .seconds(7200), allowed: .seconds(60)),
            "the server asked an earlier run to come back"
        ),
        (.transport(code: 56, text: "Recv failure"), "recv failure"),
        (.transport(code: 35, text: "OpenSSL/3.0: error"), "OpenSSL/3.0: error"),
        (.transport(code: 92, text: "HTTP/2 stream 1"), "HTTP/2 stream 1"),
        (.transport(code: 56, text: ""), "the connection failed"), (.connectTimeout(.seconds(3)), "3s"),
        (.stalled(.seconds(4)), "4s"),
        (.notRenamed(text: "QUOT command failed with 550"), "does not give it its name"),
        (.attemptTimeout(.seconds(5)), "timeout.attempt"), (.totalTimeout(.seconds(6)), "timeout.total"),
        (.deadline(.seconds(7)), "retry.deadline"),
        (.waitTooLong(status: 429, .seconds(86_400), allowed: .seconds(60)), "1d"),
        (
            .waitTooLong(status: 429, .seconds(60), allowed: .seconds(5), by: .total),
            "in 1m, later than the 5s allowed (timeout.total)"
        ),
        (.bodyNotTaken(sent: 0, of: 7), "0 of 7 bytes were sent"),
        (.bodyTooShort(received: 3, expected: 9), "3 of 9 bytes"), (.noContent(204), "204"),
        (.notModifiedUnasked, "304"),
        (.unclearFraming, "folded"), (.conflictingLengths, "two different Content-Length"),
        (.invalidLength("x\u{1B}[1m"), "Content-Length"),
        (.unusablePartial("bytes 1-2/3"), "bytes 1-2/3"), (.cannotResume(times: 2), "rest"),
        (.noCloseNotify, "may be cut"),
        (.redirectWithoutLocation(302), "no Location"), (.tooManyRedirects(20), "20 redirects"),
        (.redirectRefused(to: "file:///x", why: .scheme("file")), "file: is not allowed"),
        (.redirectRefused(to: "http://a.test/", why: .downgrade), "not encrypted"),
        (.redirectRefused(to: "http://", why: .unreadable), "not a URL"),
        (.sizeDiffers(declared: 5, wanted: 10), "wanted is the size 10"),
        (.mediaType(wanted: "application/zip", got: "text/html"), "application/zip"),
        (.verification(refuted, evidence), "5 bytes came"), (.storage(.sourceMissing(path: "/x")), "/x is not there"),
        (.tooLarge(size: 5, limit: 3), "expect.max_size is 3"), (.impossible("a got b"), "a got b"),
    ]

    @Test(arguments: causes)
    func everyCauseHasItsSentence(_ cause: Fault.Cause, part: String) {
        let failure = Self.words.failure(Fault(.protocol, cause), url: "http://a.test/f")
        #expect(failure.message.contains(part))
        #expect(failure.message != "failed")
        #expect(!failure.message.hasSuffix("."))
        #expect(failure.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }

    @Test(arguments: FaultClass.allCases)
    func theClassIsKept(_ faultClass: FaultClass) {
        #expect(Self.words.failure(Fault(faultClass, .status(500)), url: "").faultClass == faultClass)
    }

    @Test(
        arguments: [
            (.status(503), "http_503", 503), (.noContent(204), "http_204", 204), (.notModifiedUnasked, "http_304", 304),
            (.redirectWithoutLocation(302), "http_302", 302),
            (.waitTooLong(status: 429, .zero, allowed: .zero), "http_429", 429),
            (.transport(code: 7, text: ""), "curl_7", nil),
            (.storage(.failed(.write, path: "x", errno: 28)), "ENOSPC", nil),
            (.conflictingLengths, nil, nil),
        ] as [(Fault.Cause, String?, Int?)])
    func codesAreFinerThanClasses(_ cause: Fault.Cause, code: String?, status: Int?) {
        let failure = Self.words.failure(Fault(.protocol, cause), url: "")
        #expect(failure.code == code)
        #expect(failure.httpStatus == status)
    }

    // MARK: - Sources

    static let busy = Fault(.server, .status(503))
    static let gone = Fault(.notFound, .status(404))

    @Test func oneSourceIsNamed() {
        let failure = Self.words.failure(Self.gone, url: "http://a.test/f", sources: [("http://a.test/f", Self.gone)])
        #expect(failure.message == "the server answered 404 Not Found (http://a.test/f)")
    }

    @Test func eachOfSeveralSourcesIsTold() {
        let sources = [("http://a.test/f", Self.gone), ("http://b.test/f", Self.busy)]
        let failure = Self.words.failure(Self.busy, url: "http://b.test/f", sources: sources)
        #expect(
            failure.message == "all 2 sources failed: http://a.test/f: the server answered 404 Not Found; "
                + "http://b.test/f: the server answered 503 Service Unavailable")
    }

    /// What ended a transfer must be told, whatever its sources did before.
    @Test(arguments: [
        Fault(.timeout, .totalTimeout(.seconds(2))), Fault(.reset, .deadline(.seconds(2))),
        Fault(.storage, .storage(.noSpace(path: "f", missing: nil, free: nil))),
    ])
    func whatEndedItComesFirst(_ fault: Fault) {
        let sources = [("http://a.test/f", Self.gone), ("http://b.test/f", Self.busy)]
        let failure = Self.words.failure(fault, url: "http://b.test/f", sources: sources)
        let alone = Self.words.failure(fault, url: "http://b.test/f")
        #expect(failure.message.hasPrefix(alone.message))
        #expect(failure.message.contains("404"))
        #expect(!failure.message.contains("all 2 sources"))
    }

    // MARK: - Secrets

    @Test(arguments: [
        Fault.Cause.transport(code: 6, text: "Could not resolve host: hunter2.test"),
        .transport(code: 7, text: "Failed to connect to http://me:hunter2@a.test/"),
        .redirectRefused(to: "ftp://me:pass@a.test/?token=abc&x=hunter2", why: .scheme("ftp")),
        .redirectRefused(to: "//me:pass@a.test:99999/", why: .unreadable),
        .redirectRefused(to: "http:/me:pass@a.test:99999/", why: .unreadable),
        .redirectRefused(to: "http:\\\\me:pass@a.test", why: .unreadable),
        .redirectRefused(to: "////me:pass@a.test", why: .unreadable),
        .invalidLength("hunter2"), .unusablePartial("hunter2"), .mediaType(wanted: "a/b", got: "hunter2"),
        .verification(
            refuted, Fault.Evidence(url: "http://me:pass@a.test/?sig=hunter2", status: 200, contentType: "hunter2")),
        .verification(
            Verification.Fault(
                failures: [.type(expected: .zip, found: nil)],
                evidence: FileEvidence(size: 7, firstBytes: Array("hunter2".utf8))), evidence),
        .storage(.sourceMissing(path: "/data/hunter2")), .impossible("hunter2"),
    ])
    func noSecretIsTold(_ cause: Fault.Cause) {
        let url = "https://me:pass@a.test/f?token=hunter2"
        let fault = Fault(.protocol, cause)
        for sources in [[], [(url, fault)], [(url, fault), (url, fault)]] as [[(url: String, fault: Fault)]] {
            let failure = Self.words.failure(fault, url: url, sources: sources)
            #expect(!failure.message.contains("hunter2"))
            #expect(!failure.message.contains("pass@"))
            #expect(failure.advice?.contains("hunter2") != true)
        }
    }

    @Test func errorsOfTheDiskAreMaskedToo() {
        let error = StorageError.linkInPath(
            path: "hunter2/f", link: "hunter2", target: "/x", absolutePath: "/x/hunter2/f")
        let failure = Self.words.failure(error)
        #expect(!failure.message.contains("hunter2"))
        #expect(failure.advice?.contains("hunter2") == false)
    }

    // MARK: - Advice

    @Test(arguments: [
        (Fault(.tls, .transport(code: 60, text: "SSL certificate problem")), "tls.ca"),
        (
            Fault(.tls, .transport(code: 60, text: "SSL: no alternative certificate subject name matches target host")),
            "another host's"
        ),
        (Fault(.tls, .transport(code: 60, text: "SSL certificate problem: certificate has expired")), "renewed"),
        (Fault(.tls, .transport(code: 35, text: "error: SSL routines::tlsv1 alert protocol version")), "TLS 1.2"),
        (Fault(.tls, .transport(code: 35, text: "error: SSL routines::wrong version number")), "speaks no TLS"),
        (
            Fault(.tls, .transport(code: 35, text: "error: SSL routines::sslv3 alert handshake failure")),
            "tls: {cert, key}"
        ),
        (Fault(.tls, .transport(code: 77, text: "error setting certificate file: a")), "PEM"),
        (
            Fault(.tls, .transport(code: 56, text: "SSL routines::tlsv13 alert certificate required")),
            "tls: {cert, key}"
        ),
        (Fault(.stall, .stalled(.seconds(1))), "timeout.stall"),
        (Fault(.timeout, .connectTimeout(.seconds(1))), "timeout.connect"),
        (Fault(.rateLimited, .waitTooLong(status: 429, .seconds(9), allowed: .seconds(1))), "retry.max_wait"),
        (Fault(.redirect, .redirectRefused(to: "http://a", why: .downgrade)), "https"),
    ])
    func adviceNamesWhatCanBeDone(_ fault: Fault, part: String) throws {
        #expect(try #require(Self.words.failure(fault, url: "").advice).contains(part))
    }

    @Test func authoritiesAreOfNoInterestWhereTrustIsNot() {
        #expect(Self.words.failure(Fault(.tls, .transport(code: 35, text: "error: bad record")), url: "").advice == nil)
    }
}
