import RunnerJob
import Testing

@Suite struct DestinationTests {
    private func download(_ fields: String, top: String = "", url: String = "http://h/p/data.tar.gz?v=1") throws
        -> Download
    {
        try #require(
            try JobText.parse("version: 1\n\(top)tasks:\n- {download: '\(url)', \(fields)}\n").tasks.first
        ).download
    }

    private func name(_ fields: String, top: String = "") throws -> ServerName {
        try #require(try download(fields, top: top).serverName)
    }

    @Test(arguments: [
        ("to: a/", "a/data.tar.gz"), ("to: 'a/${name}.new'", "a/data.tar.gz.new"),
        ("to: 'a/${stem}-1${suffix}'", "a/data-1.tar.gz"), ("to: '${stem}/${name}'", "data/data.tar.gz"),
        ("name: url, to: 'x${suffix}'", "x.tar.gz"),
    ])
    func takesNamesOfTheURL(fields: String, path: String) throws {
        #expect(try download(fields).path.text == path)
    }

    @Test(arguments: ["a/.", "a/..", "a/b/..", "b/./.", "/jobs/a/."]) func aFolderIsNoFile(_ path: String) {
        let text = JobText.report(JobText.input("version: 1\ntasks:\n- {download: 'http://h/x', to: \(path)}\n"))
        #expect(text.contains("the path names a folder; write the name of a file"), "\(text)")
    }

    @Test func prefersVariablesOfTheJob() throws {
        #expect(try download("to: '${name}-${stem}'", top: "vars: {name: own}\n").path.text == "own-data")
    }

    @Test(arguments: [
        ("name: server", "", "x.tar.gz"), ("name: server, to: a/b/", "a/b", "a/b/x.tar.gz"),
        ("name: server, to: /jobs/a/", "a", "a/x.tar.gz"), ("name: server, to: /abs/", "/abs", "/abs/x.tar.gz"),
        ("name: server, to: 'a/${stem}-1${suffix}'", "a", "a/x-1.tar.gz"),
        ("name: server, to: '${name}.new'", "", "x.tar.gz.new"), ("name: server, to: ./", "", "x.tar.gz"),
    ])
    func leavesTheNameToTheServer(fields: String, folder: String, path: String) throws {
        let name = try name(fields)
        #expect(name.folder == folder)
        #expect(try name.path(named: "x.tar.gz").text == path)
        #expect(name.mayBe(try name.path(named: "y")))
    }

    @Test func standsApartByURL() throws {
        let job = try JobText.parse(
            "version: 1\ntasks:\n- {matrix: {n: 1..2}, download: 'http://h/get?id=${n}', name: server, to: d/}\n")
        #expect(job.tasks.map(\.id.text) == ["http://h/get?id=1", "http://h/get?id=2"])
        #expect(job.tasks[0].download.path != job.tasks[1].download.path)
        #expect(job.tasks[0].download.path.text.hasPrefix("d/"))
    }

    @Test(arguments: [
        ("x", "data", ""), ("data.csv", "data", ".csv"), (".profile", ".profile", ""), ("a.b.tar.xz", "a.b", ".tar.xz"),
        (".tar.gz", ".tar", ".gz"), ("a.", "a", "."),
    ])
    func partsNames(name: String, stem: String, suffix: String) throws {
        let both = try self.name("name: server, to: '${stem}|${suffix}'")
        #expect(try both.path(named: name).text == (name == "x" ? "x|" : "\(stem)|\(suffix)"))
    }

    @Test(arguments: [
        ("name: server, to: a", "3:43: `to` gives the file its name, so that `name: server` means nothing"),
        ("name: server, to: '${name}/x'", "3:55: `to` gives the file its name"),
        ("name: server, to: '${stem}/${name}'", "what the server says can only name the file, not its folder"),
        ("name: server, to: a/, digest: {file: SUMS}", "a checksum list is looked through by name"),
        ("name: server, to: ../", "the path leaves the job's directory"),
        ("name: servr", "unknown value `servr` for `name`; it takes url, server; did you mean `server`?"),
        ("to: '${nam}'", "the variable `nam` is not set"), ("id: '${name}'", "the variable `name` is not set"),
    ])
    func refuses(fields: String, message: String) {
        let faults = JobText.faults("version: 1\ntasks:\n- {download: 'http://h/p/data.tar.gz', \(fields)}\n")
        #expect(faults.count == 1)
        #expect(faults.first?.contains(message.drop { $0.isNumber || $0 == ":" || $0 == " " }) == true, "\(faults)")
    }

    @Test(arguments: ["name", "stem", "suffix"])
    func saysThatTheURLHasNoNameToStandFor(_ name: String) {
        let faults = JobText.faults("version: 1\ntasks:\n- {download: 'http://h/', to: 'a/${\(name)}.x'}\n")
        #expect(faults.count == 1)
        #expect(faults.first?.contains("the URL gives the file no name that `${\(name)}` could stand for") == true)
    }

    @Test func saysWhatToDoWithoutAName() {
        #expect(
            JobText.faults("version: 1\ntasks:\n- {download: 'http://h/', to: a/}\n").first?.contains("`name: server`")
                == true)
    }
}
