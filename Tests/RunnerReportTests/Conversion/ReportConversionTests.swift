import LibExpat
import RunnerExecution
import RunnerJob
import RunnerReport
import Testing

/// Reports as other programs take them.
@Suite struct ReportConversionTests {
    private static let failure = TaskFailure(
        .notFound, code: "http_404", message: "no <such> file & \"no\" \u{1} | end")

    private static func run(_ tasks: [TaskFinished], ends: Bool = true, job: String = "nightly") throws -> RecordedRun {
        var encoder = ReportEncoder(run: "run-1")
        var tally = RunTally()
        for task in tasks { tally.add(task) }
        var started = Samples.started
        started.job = job
        var events = [event(.runStarted(started))] + tasks.map { event(.taskFinished($0), after: 500) }
        if ends { events.append(event(.runFinished(tally.runFinished(duration: .seconds(1))), after: 1500)) }
        return try #require(RecordedRun.runs(in: events.flatMap { encoder.line($0) }).first)
    }

    private static func all() throws -> RecordedRun {
        var optional = finished("c<", .failed, line: 3, failure: failure)
        optional.isOptional = true
        var blocked = finished("d", .blocked, line: 4)
        blocked.blockedBy = "b"
        return try run([
            finished("a", .succeeded, line: 1), finished("b", .failed, line: 2, failure: failure), optional, blocked,
            finished("e", .cancelled, line: 5),
        ])
    }

    private static func xml(_ text: String) throws -> XMLElement {
        try XMLDocument.read(Array(text.utf8))
    }

    @Test func aJobIsASuiteAndATaskACase() throws {
        let root = try Self.xml(JUnitReport([Self.all(), Self.run([])]).text)
        #expect(root.name == "testsuites" && root.attributes["tests"] == "5" && root.attributes["failures"] == "1")
        #expect(root.attributes["skipped"] == "3" && root.attributes["errors"] == "0")
        let suites = root.children(named: "testsuite")
        #expect(suites.map { $0.attributes["name"] } == ["nightly", "nightly"])
        #expect(suites[0].attributes["time"] == "1.500" && suites[0].attributes["id"] == "run-1")
        let cases = suites[0].children(named: "testcase")
        #expect(cases.map { $0.attributes["name"] } == ["a", "b", "c<", "d", "e"])
        #expect(cases.map { $0.children.first?.name } == [nil, "failure", "skipped", "skipped", "skipped"])
        #expect(cases[1].attributes["line"] == "2" && cases[1].attributes["file"] == Samples.started.file)
        let failure = cases[1].children[0]
        #expect(failure.attributes["type"] == "not_found")
        #expect(failure.attributes["message"]?.contains("no <such> file & \"no\"") == true)
        #expect(failure.text.contains("next: check the URL"))
        #expect(cases[2].children[0].attributes["message"]?.hasPrefix("optional, failed: not_found") == true)
        #expect(cases[3].children[0].attributes["message"] == "blocked: since 'b' failed")
    }

    /// A report that was changed by hand, or is damaged, may have any number.
    @Test(arguments: ["1e300", "-1e300", "9223372036854775807"])
    func anyDurationIsToldOf(_ number: String) throws {
        var encoder = ReportEncoder(run: "run-1")
        let text = [event(.runStarted(Samples.started)), event(.taskFinished(finished("a", .succeeded)), after: 500)]
            .map { String(decoding: encoder.line($0), as: UTF8.self) }.joined()
        let changed = text.replacing("\"attempts\"", with: "\"timing\":{\"total\":\(number)},\"attempts\"")
        #expect(changed.contains(number))
        let runs = RecordedRun.runs(in: Array(changed.utf8))
        #expect(try Self.xml(JUnitReport(runs).text).children.count == 1)
        #expect(MarkdownReport(runs).text.contains("| a |") && HTMLReport(runs).text.contains(">a<td>"))
    }

    /// A required task that an optional one blocks makes a run fail, though no case of it is a failure.
    @Test func aRunThatFailedIsNeverGood() throws {
        var optional = finished("a", .failed, failure: Self.failure)
        optional.isOptional = true
        var blocked = finished("b", .blocked)
        blocked.blockedBy = "a"
        let run = try Self.run([optional, blocked])
        let root = try Self.xml(JUnitReport([run]).text)
        #expect(root.attributes["failures"] == "0" && root.attributes["errors"] == "1")
        #expect(root.children[0].children.last?.attributes["name"] == "the whole run")
        #expect(MarkdownReport([run]).text.contains("**a required task was not begun, since an optional one failed**"))
    }

    @Test func aRunWithoutAnEndCountsInTheTotal() throws {
        var task = finished("a", .succeeded)
        task.transferred = 2000
        let runs = [try Self.run([task]), try Self.run([task], ends: false)]
        let total = ReportText(style: .plain).total(runs)
        #expect(total == "2 runs: 2 succeeded, 1 run without an end; 3.9 KiB fetched", "\(total)")
    }

    /// No system that reads it may take such a run for a good one.
    @Test func aRunWithoutAnEndIsAnError() throws {
        let run = try Self.run([finished("a", .succeeded)], ends: false)
        let root = try Self.xml(JUnitReport([run]).text)
        #expect(root.attributes["errors"] == "1")
        let last = try #require(root.children.first?.children.last)
        #expect(last.attributes["name"] == "the whole run")
        #expect(last.children.first?.attributes["message"]?.contains("no end") == true)
        #expect(MarkdownReport([run]).text.hasPrefix("## nightly: unfinished\n\n1 of 3 tasks have ended\n"))
        #expect(HTMLReport([run]).text.contains("<span class=\"unfinished\">unfinished</span>"))
    }

    @Test func aRunThatWasGivenUpIsAnError() throws {
        let run = try Self.run([finished("a", .cancelled)])
        var encoder = ReportEncoder(run: "run-1")
        var end = RunTally().runFinished(duration: .seconds(1))
        end.outcome = .parked
        end.reason = "no space left"
        let lines =
            encoder.line(event(.runStarted(Samples.started))) + encoder.line(event(.runFinished(end)))
        let parked = try #require(RecordedRun.runs(in: lines).first)
        #expect(try Self.xml(JUnitReport([parked]).text).attributes["errors"] == "1")
        #expect(MarkdownReport([parked]).text.contains("**no space left**"))
        #expect(run.tasks.count == 1)
    }

    @Test func markdownTellsFailuresFirst() throws {
        let text = MarkdownReport([try Self.all()]).text
        #expect(text.hasPrefix("## nightly: failed\n\n1 succeeded, 2 failed, 1 blocked, 1 cancelled; "))
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(rows.count == 2 + 4 + 2 + 5)
        let file = Samples.started.file
        #expect(
            rows[2]
                == "| b (\(file):2) | failed | not\\_found \\(http\\_404\\): no &lt;such&gt; file &amp; \"no\" \\\\u\\{1\\} \\| end"
                + " | check the URL; the file may have been moved or removed |")
        #expect(rows[3].hasPrefix("| c&lt; (\(file):3) | failed, optional |"))
        #expect(rows[4].contains("| since 'b' failed |"))
    }

    /// What servers and job files say must not become markup, let alone a script.
    @Test func nothingInAReportIsMarkup() throws {
        let evil = "<script>alert(1)</script>"
        let task = finished(evil, .failed, failure: TaskFailure(.server, code: evil, message: evil))
        let run = try Self.run([task], job: evil)
        #expect(!HTMLReport([run]).text.contains("<script"))
        #expect(!MarkdownReport([run]).text.contains("<script"))
        #expect(try Self.xml(JUnitReport([run]).text).children[0].children[0].attributes["name"] == evil)
    }

    @Test func theTextTellsEachRunAndAllTogether() throws {
        let text = ReportText(style: .plain)
        let lines = text.lines(try Self.all(), leavesOutDone: true)
        #expect(lines.count == 2 + 4 + 1)
        #expect(lines.last?.hasPrefix("1 succeeded, 2 failed, 1 blocked, 1 cancelled; ") == true)
        let open = try Self.run([finished("a", .succeeded)], ends: false)
        #expect(
            text.total([try Self.all(), open]).hasPrefix(
                "2 runs: 2 succeeded, 2 failed, 1 blocked, 1 cancelled, 1 run without an end; "))
    }
}
