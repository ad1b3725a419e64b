import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerReport
import Testing

@Suite("Lines of the report")
struct ReportEncoderTests {
    private func line(_ kind: RunEvent.Kind, secrets: [String] = []) -> String {
        var encoder = ReportEncoder(run: "r1", redactor: Redactor(secrets: secrets))
        return String(decoding: encoder.line(event(kind)), as: UTF8.self)
    }

    private let head = #"{"schema":"runner.report/1","run":"r1","seq":1,"time":"2026-11-29T03:15:00.042Z","event":"#

    @Test func runStarted() {
        #expect(
            line(.runStarted(Samples.started))
                == head + #""run.started","job":"nightly","file":"jobs/nightly.yaml","file_sha256":""#
                + String(repeating: "0", count: 64)
                + #"","version":"0.1.0","host":"build-7","pid":4711,"tasks":3,"#
                + #""limits":{"concurrency":8,"per_host":4}}"# + "\n")
    }

    @Test func taskFinishedWithEverything() {
        #expect(
            line(.taskFinished(Samples.full))
                == head
                + #""task.finished","task":"iso","kind":"download","outcome":"failed","optional":true,"to":"iso/debian.iso","#
                + #""bytes":100,"transferred":60,"sent":5,"resumed_from":40,"digest":"md5:000102030405060708090a0b0c0d0e0f","#
                + #""url":"https://example.org/a","final_url":"https://cdn.example.org/a","#
                + #""http":{"status":206,"version":"2","etag":"\"a1b2\"","#
                + #""last_modified":"Sun, 29 Nov 2026 00:00:00 GMT","content_type":"application/octet-stream"},"#
                + #""timing":{"queued":1,"dns":1.25,"connect":3,"tls":4,"first_byte":5,"transfer":6,"verify":0,"#
                + #""publish":8,"total":9000},"attempts":2,"#
                + #""error":{"class":"rate_limited","code":"http_503","#
                + #""message":"the server answered 503 and asks to wait","advice":"wait","http_status":503,"bytes":12,"#
                + #""differences":[{"name":"size","wanted":"12","found":"13"}]},"#
                + #""reply":"ok","output":"said\n","blocked_by":"other","line":12}"# + "\n")
    }

    @Test func whatHasNoValueIsLeftOut() {
        #expect(
            line(.taskFinished(finished("b", .upToDate, attempts: 0)))
                == head
                + #""task.finished","task":"b","kind":"download","outcome":"up_to_date","to":"b","transferred":0,"#
                + #""attempts":0,"line":1}"# + "\n")
    }

    @Test func aLineOfAnotherFileNamesIt() {
        var sources = SourceMap()
        for name in ["job.yaml", "rows.csv"] { _ = sources.add(SourceMap.File(name: name, bytes: [])) }
        var encoder = ReportEncoder(run: "r1", sources: sources)
        var task = finished("b", .upToDate, attempts: 0)
        task.place.file = 1
        let line = String(decoding: encoder.line(event(.taskFinished(task))), as: UTF8.self)
        #expect(line.hasSuffix(#""line":1,"file":"rows.csv"}"# + "\n"))
    }

    @Test func linesAreNumberedFromOne() {
        var encoder = ReportEncoder(run: "r1")
        for number in 1...3 {
            let line = String(decoding: encoder.line(Samples.all[0]), as: UTF8.self)
            #expect(line.contains("\"seq\":\(number),"))
        }
    }

    @Test func textsFromOutsideAreEscapedAndMasked() {
        let failure = TaskFailure(
            .auth, message: "403 for https://u:p@h/?token=S3CRET: \"no\"\\\r\n\t\u{1}\u{1F}\u{7F}\u{2028}é😀 S3CRET")
        let text = line(.taskFinished(finished("S3CRET-id", .failed, failure: failure)), secrets: ["S3CRET"])
        #expect(!text.contains("S3CRET"))
        #expect(
            text.contains(
                #""message":"403 for https://***@h/?token=*** \"no\"\\\r\n\t\u0001\u001f"#
                    + "\u{7F}\u{2028}é😀 ***\""))
        #expect(text.contains(#""task":"***-id""#))
        #expect(text.filter { $0 == "\n" }.count == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func manyLinesTakeLittleTime() {
        var encoder = ReportEncoder(run: "r1", redactor: Redactor(secrets: ["hunter22", "another"]))
        var bytes = 0
        for _ in 0..<10_000 { bytes += encoder.line(Samples.all[8]).count }
        #expect(bytes > 5_000_000)
    }
}
