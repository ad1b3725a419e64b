import RunnerJob
import RunnerTransfer
import TestSupport
import Testing

/// The engine sends bodies as well as it receives them.
@Suite struct UploadTests {
    private func request(_ url: String, _ method: String, _ body: WireRequest.Body) throws -> WireRequest {
        var fields = RequestFields()
        fields.method = method
        var request = WireRequest(
            hop: RequestMachine.Hop(url: try Sample.url(url)), source: try Sample.url(url),
            goal: RequestGoal(source: 0), settings: RequestSettings(fields), timeout: TimeoutSettings(),
            defaultUserAgent: "bench")
        request.method = method
        request.body = body
        return request
    }

    @Test func aFileIsSentAsItIs() async throws {
        let folder = try TemporaryDirectory()
        let content = Content.pattern(count: 3 << 20)
        let path = try folder.write("f", content.allBytes)
        let server = try FaultServer(files: ["/up": .text("ok")])
        let outcome = await (try ExchangeBench()).send(try request(server.url("/up"), "PUT", .file(path)))
        #expect(outcome.status == 200)
        #expect(outcome.fault == nil)
        #expect(outcome.sent == 3 << 20)
        #expect(server.requests.first?.method == "PUT")
        #expect(server.requests.first?.bodySize == 3 << 20)
        #expect(server.requests.first?.header("Content-Length") == "3145728")
    }

    @Test func aFormHasItsFieldsAndFiles() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("f", "payload\r\n--x")
        let server = try FaultServer(files: ["/up": .text("ok")])
        let form = FormBody(fields: [
            .init(name: "note", content: .text("two words")),
            .init(
                name: "file", content: .file(path: path), fileName: "a\"b.bin", contentType: "application/x-own",
                headers: [HeaderField(name: "X-Part", value: "1", isCredential: false)]),
        ])
        let outcome = await (try ExchangeBench()).send(try request(server.url("/up"), "POST", .form(form)))
        #expect(outcome.status == 200)
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        let type = try #require(sent.header("Content-Type"))
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        let boundary = try #require(type.split(separator: "=").last)
        let text = String(decoding: sent.body, as: UTF8.self)
        #expect(text.hasPrefix("--\(boundary)\r\n"))
        #expect(text.hasSuffix("--\(boundary)--\r\n"))
        #expect(text.contains("name=\"note\"\r\n\r\ntwo words\r\n"))
        #expect(
            text.contains("name=\"file\"; filename=\"a%22b.bin\"\r\nContent-Type: application/x-own\r\nX-Part: 1\r\n"))
        #expect(text.contains("\r\n\r\npayload\r\n--x\r\n--\(boundary)--"))
    }

    @Test func aMissingFileIsToldBeforeAnythingIsSent() async throws {
        let server = try FaultServer()
        let outcome = await (try ExchangeBench()).send(try request(server.url("/up"), "PUT", .file("/nowhere/f")))
        #expect(outcome.fault?.faultClass == .input)
        #expect(server.requests.isEmpty)
    }
}
