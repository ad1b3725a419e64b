import RunnerJob
import Testing

@Suite struct MatrixTests {
    private func ids(_ item: String, top: String = "", files: [String: String] = [:]) throws -> [String] {
        try JobText.parse("version: 1\n\(top)tasks:\n- \(item)\n", files: files).tasks.map(\.id.text)
    }

    private func faults(_ item: String, top: String = "", files: [String: String] = [:]) -> [String] {
        JobText.faults("version: 1\n\(top)tasks:\n- \(item)\n", files: files)
    }

    // MARK: Lists

    @Test func makesATaskOfEachCombination() throws {
        #expect(
            try ids("{matrix: {a: [x, y], b: [1, 2..3]}, download: \"http://h/${a}${b}\"}")
                == ["x1", "x2", "x3", "y1", "y2", "y3"])
    }

    @Test func takesOneValueForAListOfOne() throws {
        #expect(try ids("{matrix: {a: 08..09}, download: \"http://h/${a}\"}") == ["08", "09"])
        #expect(
            try ids("{matrix: {a: \"${v}\"}, download: \"http://h/${a}\"}", top: "vars: {v: 1..2}\n") == ["1", "2"])
    }

    @Test func leavesOutWhatIsExcluded() throws {
        #expect(
            try ids(
                "{matrix: {a: [x, y], b: 1..3, exclude: [{a: x, b: [1, 3]}, {a: y, b: 2..3}]}, download: \"http://h/${a}${b}\"}"
            ) == ["x2", "y1"])
    }

    @Test func warnsOfAnExclusionWithoutEffect() throws {
        let job = try JobText.parse(
            "version: 1\ntasks:\n- {matrix: {a: [x], exclude: {a: z}}, download: \"http://h/${a}\"}\n")
        #expect(job.warnings.map(\.message) == ["this `exclude` leaves nothing out"])
    }

    @Test func hidesVariablesOfTheSameName() throws {
        #expect(try ids("{matrix: {a: [x]}, download: \"http://h/${a}${b}\"}", top: "vars: {a: no, b: z}\n") == ["xz"])
    }

    @Test func givesEveryTaskTheFieldsThatAreTheSame() throws {
        let tasks = try JobText.parse(
            """
            version: 1
            tasks:
            - matrix: {a: 1..2}
              download: http://h/${a}
              retry: {attempts: 2}
              headers: {A: b}
              priority: ${a}
            """
        ).tasks
        #expect(tasks.map(\.retry.attempts) == [2, 2])
        #expect(tasks.map(\.priority) == [1, 2])
        #expect(tasks[0].download.request === tasks[1].download.request)
    }

    @Test(arguments: [
        ("{matrix: {}, download: http://h/a}", "3:12: `matrix` has no values; write such as"),
        ("{matrix: [a], download: http://h/a}", "3:12: `matrix` wants a mapping"),
        ("{matrix: {a: []}, download: http://h/a}", "3:16: `a` has no values"),
        ("{matrix: {a b: [1]}, download: http://h/a}", "3:13: `a b` is no name of a variable"),
        ("{matrix: {a: 1..x}, download: http://h/a}", "3:16: `1..x` is no range: both ends"),
        ("{matrix: {a: [1], exclude: {b: 1}}, download: http://h/a}", "3:31: `exclude` names `b`"),
        (
            "{matrix: {a: 1..2}, download: \"http://h/${none}\"}",
            "3:43: the variable `none` is not set; add it to `vars`"
        ),
        (
            "{matrix: {arch: 1..2}, download: \"http://h/${ach}\"}",
            "the variable `ach` is not set; did you mean `arch`?"
        ),
        ("{matrix: {a: 1..2}, download: \"http://h/${a}\", id: b}", "3:3: two tasks of one item have the id `b`"),
        ("{matrix: {a: 1..5000, b: 1..5000}, download: http://h/a}", "more than 20000000 tasks"),
    ])
    func refuses(item: String, message: String) {
        let faults = faults(item)
        #expect(faults.count == 1)
        #expect(faults.first?.contains(message) == true, "\(faults)")
    }

    @Test func tellsAFaultOnceForAllTasks() throws {
        let text = "version: 1\ntasks:\n- {matrix: {a: 1..9}, download: \"${a}\"}\n"
        let faults = #expect(throws: JobFaults.self) { try JobText.parse(text) }
        let fault = try #require(faults?.diagnostics.first)
        #expect(faults?.diagnostics.count == 1)
        #expect(fault.notes.map(\.message).first == "with `a: 1`")
        #expect(fault.notes.map(\.message).last == "and in 4 further tasks")
        #expect(fault.notes.count == 6)
    }

    // MARK: Rows

    @Test func readsRowsOfAFile() throws {
        let job = try JobText.parse(
            "version: 1\ntasks:\n- {matrix: {file: l/rows.csv, s: [a, b]}, download: \"${url}\", to: \"${s}/${name}\"}\n",
            files: ["/jobs/l/rows.csv": "url,name,other column\nhttp://h/1,x,\nhttp://h/2,\"y,z\",-\n"])
        #expect(job.tasks.map(\.id.text) == ["a/x", "b/x", "a/y,z", "b/y,z"])
        #expect(job.tasks.map(\.place.line) == [2, 2, 3, 3])
        #expect(job.sources.name(of: job.tasks[0].place) == "l/rows.csv")
    }

    @Test func readsStandardInput() throws {
        #expect(
            try ids(
                "{matrix: {file: {path: \"-\", columns: [u]}}, download: \"${u}\"}",
                files: ["-": "http://h/a\nhttp://h/b"])
                == ["a", "b"])
        let input = JobText.input(
            "version: 1\ntasks:\n- {matrix: {file: \"-\"}, download: \"${line}\"}\n", file: "-", files: ["-": ""])
        let faults = #expect(throws: JobFaults.self) { try JobParser.parse(input) }
        #expect(faults?.diagnostics.first?.message.contains("standard input is the job file already") == true)
    }

    @Test func namesFileAndRowOfAFault() throws {
        let text = "version: 1\ntasks:\n- {matrix: {file: rows.csv}, download: \"${url}\"}\n"
        func faults(_ rows: String) -> [String] {
            do {
                _ = try JobParser.parse(JobText.input(text, file: "d/job.yaml", files: ["/jobs/rows.csv": rows]))
                return []
            } catch {
                let renderer = DiagnosticRenderer(error.sources)
                return error.diagnostics.map { renderer.text($0) }
            }
        }
        #expect(
            faults("url\nhttp://h/a\nh/b\n") == [
                """
                d/job.yaml:3:40: error: a URL begins with its scheme; write it in full, such as https://example.org/file
                    - {matrix: {file: rows.csv}, download: "${url}"}
                                                           ^
                d/rows.csv:3:1: note: with `url: h/b`

                """
            ])
        #expect(faults("url\na,b\n").first?.hasPrefix("d/rows.csv:2:1: error: the row has 2 fields") == true)
        #expect(faults("url\na,b\n").first?.contains("but there is 1 column;") == true)
        for (rows, sign) in [("url;name\na;b\n", "semicolons"), ("url\tname\na\tb\n", "tabs")] {
            let told = "d/rows.csv:2:1: error: the columns of `d/rows.csv` are parted by \(sign), not by commas"
            #expect(faults(rows).map { $0.contains(told) } == [true], "\(faults(rows))")
        }
        // Nothing has a value yet that could be told, and nothing is read behind a fault.
        for rows in ["url\na,b", "url\n\"a\"b"] {
            let told = faults(rows)
            #expect(told.count == 1 && told.first?.contains("note:") == false, "\(told)")
        }
    }

    @Test(arguments: [
        ("rows.csv", "", "3:19: `rows.csv` cannot be read: No such file or directory"),
        ("[a, b]", "x", "3:19: `file` wants a text, not a list"),
        ("{format: csv}", "x", "3:19: `file` wants the path of a file with rows"),
        (
            "{path: r, format: xml}", "x",
            "3:37: unknown value `xml` for `format`; it takes csv, tsv, jsonl, lines, checksums"
        ),
        ("{path: r, columns: [a, b]}", "x", "3:26: a list of lines has one column"),
        ("{path: r, format: csv, columns: [a, a]}", "1,2", "3:26: the column `a` of `r` has the name of another"),
        ("{path: r, format: csv}", "s\n1", "3:26: the column `s` of `r` has the name of another"),
    ])
    func refusesFiles(file: String, content: String, message: String) {
        let faults = faults(
            "{matrix: {file: \(file), s: [1]}, download: \"http://h/${s}\"}",
            files: content.isEmpty ? [:] : ["/jobs/r": content])
        #expect(faults.count == 1)
        #expect(faults.first?.contains(message) == true, "\(faults)")
    }

    @Test func tellsWhatARowLacks() {
        let faults = faults(
            "{matrix: {file: r.jsonl}, download: \"http://h/${a}\"}",
            files: ["/jobs/r.jsonl": "{\"a\":\"x\"}\n{\"a\":null}\n"])
        #expect(faults == ["3:49: `a` has no text in this row"])
    }
}
