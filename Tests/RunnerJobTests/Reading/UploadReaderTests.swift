import RunnerJob
import Testing

@Suite("Uploads in a job file") struct UploadReaderTests {
    private func upload(_ task: String) throws -> (JobTask, Upload)? {
        let job = try JobText.parse("version: 1\ntasks:\n- \(task)\n", environment: ["T": "hunter22"])
        guard let task = job.tasks.first, case .upload(let upload) = task.action else { return nil }
        return (task, upload)
    }

    @Test func aPlainOneIsPut() throws {
        let (task, upload) = try #require(try upload("{upload: d/a.zip, to: 'http://h/x?sig=1'}"))
        #expect(upload.path.text == "d/a.zip" && upload.method == "PUT" && upload.form == nil)
        #expect(upload.target.url.text == "http://h/x?sig=1")
        #expect(task.id == "http://h/x")
        #expect(upload.statuses.isEmpty && upload.savedResponse == nil)
    }

    @Test func readsEveryField() throws {
        let (task, upload) = try #require(
            try upload(
                "{upload: a, to: 'http://h/x', method: PATCH, headers: {A: b}, expect: {status: [200, 201]},"
                    + " save_response: r.json, rate: 1MiB/s, form: {field: f, file_name: n, content_type: text/x,"
                    + " fields: {k: v, s: \"${secret:T}\"}, headers: {X: y}}}"))
        #expect(task.id == "upload a")
        #expect(upload.method == "PATCH" && upload.request.method == "PATCH")
        #expect(upload.statuses == [200, 201] && upload.savedResponse?.text == "r.json" && upload.rate == 1 << 20)
        let form = try #require(upload.form)
        #expect(form.field == "f" && form.fileName == "n" && form.contentType == "text/x" && form.hasSecret)
        #expect(form.fields.map(\.name) == ["k", "s"] && form.headers.map(\.name) == ["X"])
        #expect(upload.outputs.map(\.path.text) == ["r.json"])
    }

    @Test(arguments: [
        ("text/csv; charset=utf-8", true), ("multipart/related;a=b; c=\\\"d; \\\\\\\" e\\\"", true),
        ("application/vnd.x+json", true), ("text", false), ("text/a b", false), ("text/x;", false),
        ("text/x; charset", false), ("text/x; a=\\\"b", false), ("text/x, text/y", false), ("text/x; a=b c", false),
    ])
    func theTypeOfAPartMayHaveParameters(_ type: String, _ isType: Bool) throws {
        let task = "{upload: a, to: 'http://h/x', form: {content_type: \"\(type)\"}}"
        let faults = JobText.faults("version: 1\ntasks:\n- \(task)\n")
        #expect(faults.isEmpty == isType, "\(faults)")
        let wanted = type.replacing("\\\\", with: "\u{1}").replacing("\\", with: "").replacing("\u{1}", with: "\\")
        if isType { #expect(try upload(task)?.1.form?.contentType == wanted) }
    }

    @Test func aFolderTakesTheNameEncoded() throws {
        #expect(
            try upload("{upload: 'd/a ü#.zip', to: 'http://h/d/'}")?.1.target.url.text == "http://h/d/a%20%C3%BC%23.zip"
        )
        #expect(try upload("{upload: a, to: 'http://h/d/', form: {}}")?.1.target.url.text == "http://h/d/")
    }

    @Test(arguments: [
        ("upload: a", "3:3: an `upload` needs `to: URL`, where the file is sent"),
        ("{upload: a, to: 'file:///tmp/x'}", "3:19: an upload goes to a server; a `file:` URL names none"),
        (
            "{upload: a, to: 'http://h/x', method: GET}",
            "3:41: `method` of an `upload` is PUT, POST or PATCH, not `GET`"
        ),
        (
            "{upload: a, to: 'ftp://h/x', form: {field: f}}",
            "3:3: `form`, `method`, `expect` and `save_response` are for http and https, not for ftp"
        ),
        (
            "{upload: a, to: 'http://h/x', expect: {type: zip}}",
            "3:42: unknown key `type` in `expect` of an `upload` task; it takes `status`"
        ),
        (
            "{upload: a, to: 'http://h/x', sha256: ab}",
            "3:33: `sha256` is a key of `download` and `check` tasks, not of `upload` tasks"
        ),
    ])
    func tellsWhatIsWrong(_ task: String, _ fault: String) {
        #expect(JobText.faults("version: 1\ntasks:\n- \(task)\n") == [fault])
    }
}
