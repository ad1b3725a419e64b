/// Runs as JUnit's XML, which most systems for continuous integration show.
///
/// A job is a suite and a task is a case. A required task that failed is a failure; a task that was not begun, and an
/// optional one that failed, is skipped; what has no end is an error, and so is a run that was given up.
package struct JUnitReport {
    private let runs: [RecordedRun]

    package init(_ runs: [RecordedRun]) {
        self.runs = runs
    }

    package var text: String {
        let suites = runs.map(Suite.init)
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"runner\"\(Tally.sum(of: suites.map(\.tally)).attributes)>\n"
        for suite in suites { text += suite.text }
        return text + "</testsuites>\n"
    }
}

/// How many cases there are of each kind.
private struct Tally {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var seconds = 0.0

    static func sum(of tallies: [Tally]) -> Tally {
        tallies.reduce(into: Tally()) { sum, tally in
            sum.tests += tally.tests
            sum.failures += tally.failures
            sum.errors += tally.errors
            sum.skipped += tally.skipped
            sum.seconds += tally.seconds
        }
    }

    var attributes: String {
        " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(Self.time(seconds))\""
    }

    static func time(_ seconds: Double) -> String {
        let milliseconds = Int64(seconds * 1000)
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

/// One run.
private struct Suite {
    let text: String
    let tally: Tally

    private enum Ending {
        case passed
        case failure(type: String, message: String, text: String)
        case error(message: String)
        case skipped(String)
    }

    init(_ run: RecordedRun) {
        var tally = Tally(seconds: run.seconds ?? 0)
        var cases = ""
        func add(_ name: String, line: Int32?, seconds: Double?, _ ending: Ending) {
            tally.tests += 1
            switch ending {
            case .passed: break
            case .failure: tally.failures += 1
            case .error: tally.errors += 1
            case .skipped: tally.skipped += 1
            }
            let place = line.map { " file=\"\(Markup.escaped(run.file))\" line=\"\($0)\"" } ?? ""
            let time = seconds.map { " time=\"\(Tally.time($0))\"" } ?? ""
            cases +=
                "    <testcase name=\"\(Markup.escaped(name))\" classname=\"\(Markup.escaped(run.job))\"\(place)\(time)"
                + Self.text(of: ending)
        }
        for task in run.tasks {
            add(task.id, line: task.line, seconds: task.duration.map { $0 / 1000 }, Self.ending(of: task))
        }
        if let shortcoming = run.shortcoming {
            add("the whole run", line: nil, seconds: nil, .error(message: shortcoming))
        }
        self.tally = tally
        text =
            "  <testsuite name=\"\(Markup.escaped(run.job))\" id=\"\(Markup.escaped(run.run))\""
            + " timestamp=\"\(Markup.escaped(run.started))\"\(tally.attributes)>\n\(cases)  </testsuite>\n"
    }

    private static func ending(of task: RecordedTask) -> Ending {
        if task.isDone { return .passed }
        guard task.outcome != nil else { return .error(message: "the report has no end of this task") }
        let cause = task.cause ?? task.ending
        guard task.outcome == "failed" else { return .skipped("\(task.ending): \(cause)") }
        if task.isOptional { return .skipped("optional, failed: \(cause)") }
        let lines = [cause] + (task.advice.map { ["next: " + $0.printable] } ?? [])
        return .failure(
            type: task.failure?.faultClass ?? "", message: cause, text: lines.joined(separator: "\n"))
    }

    private static func text(of ending: Ending) -> String {
        switch ending {
        case .passed: return "/>\n"
        case .failure(let type, let message, let text):
            return ">\n      <failure type=\"\(Markup.escaped(type))\" message=\"\(Markup.escaped(message))\">"
                + "\(Markup.escaped(text))</failure>\n    </testcase>\n"
        case .error(let message):
            return ">\n      <error message=\"\(Markup.escaped(message))\"/>\n    </testcase>\n"
        case .skipped(let message):
            return ">\n      <skipped message=\"\(Markup.escaped(message))\"/>\n    </testcase>\n"
        }
    }
}
