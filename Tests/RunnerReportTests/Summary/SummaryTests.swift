import RunnerExecution
import RunnerJob
import RunnerReport
import Testing

@Suite("Summary and failures in words")
struct SummaryTests {
    private static let notFound = TaskFailure(
        .notFound, code: "http_404", message: "the server has no such file", httpStatus: 404)

    private func summary(_ events: [RunEvent.Kind]) -> Summary {
        var summary = Summary()
        for kind in events { summary.add(event(kind)) }
        return summary
    }

    private func finishedRun(_ outcome: RunFinished.Outcome) -> RunEvent.Kind {
        .runFinished(
            RunFinished(
                outcome: outcome, counts: [:], bytes: 0, transferred: 0, duration: .seconds(125), exitStatus: 0))
    }

    @Test func isComputedFromEvents() {
        let summary = summary([
            .runStarted(Samples.started), .taskFinished(finished("z", .failed, line: 30, failure: Self.notFound)),
            .attemptFailed(
                AttemptFailed(
                    task: "a", attempt: 1, url: "u", resumedFrom: 0, failure: Self.notFound, retryIn: .seconds(1),
                    nextURL: nil)),
            .attemptFailed(
                AttemptFailed(
                    task: "a", attempt: 2, url: "u", resumedFrom: 0, failure: Self.notFound, retryIn: nil,
                    nextURL: nil)),
            .taskFinished(finished("b", .blocked, line: 20, blockedBy: "z")),
            .taskFinished(finished("a", .failed, line: 10, optional: true, failure: Self.notFound)),
            .taskFinished(finished("c", .succeeded, transferred: 2048)), .taskFinished(finished("d", .upToDate)),
            finishedRun(.failed),
        ])
        #expect(summary.failures.map(\.task) == ["a", "z"])
        #expect(summary.blocked.map(\.task) == ["b"])
        #expect(summary.retries == 1)
        #expect(summary.count(.succeeded) == 1 && summary.count(.skipped) == 0)
        #expect(summary.started?.run == Samples.started.run)
        #expect(summary.tally.exitStatus() == .failed)
        #expect(
            SummaryText(sources: jobSources).counts(summary)
                == "1 succeeded, 1 up to date, 2 failed, 1 blocked; 2.0 KiB fetched in 2m05s")
    }

    @Test func everyFailureIsToldThenTheCounts() {
        let summary = summary([
            .taskFinished(finished("iso", .failed, line: 12, to: "iso/d.iso", attempts: 3, failure: Self.notFound)),
            .taskFinished(finished("b", .blocked, line: 20, optional: true, blockedBy: "iso")), finishedRun(.failed),
        ])
        #expect(
            SummaryText(sources: jobSources).text(summary) == """
                failed   iso (iso/d.iso) after 3 attempts
                         not_found (http_404): the server has no such file
                         jobs/nightly.yaml:12
                         next: check the URL; the file may have been moved or removed
                blocked  b optional, since 'iso' failed
                         jobs/nightly.yaml:20

                1 failed, 1 blocked; 0 B fetched in 2m05s

                """)
    }

    @Test func thousandsOfFailuresAreNotPrinted() {
        let summary = summary(
            (0..<1000).map { .taskFinished(finished("t\($0)", .failed, line: 1, failure: Self.notFound)) })
        let lines = SummaryText(sources: jobSources).text(summary).split(separator: "\n")
        #expect(lines.count == SummaryText.failureCeiling + SummaryText.sameCauseCeiling * 3 + 2)
        #expect(lines.contains("… and 950 more; the report has them all"))
    }

    /// Each cause is explained, however many failures another one has.
    @Test func everyCauseIsToldInFull() {
        let full = TaskFailure(.disk, code: "no_space", message: "no space left")
        let summary = summary(
            (0..<10).map { .taskFinished(finished("t\($0)", .failed, line: Int32($0) + 1, failure: Self.notFound)) }
                + [.taskFinished(finished("last", .failed, line: 20, failure: full))])
        let text = SummaryText(sources: jobSources).text(summary)
        #expect(text.split(separator: "\n").count { $0.contains("not_found (http_404)") } == 5)
        #expect(text.contains("failed   t4\n         not_found"))
        #expect(text.contains("failed   t5\nfailed   t6\n"))
        #expect(text.contains("failed   last\n         disk (no_space): no space left\n"))
    }

    @Test(arguments: [
        (RunFinished.Outcome.cancelled, "stopped before the end"), (.parked, "could not go on"),
    ])
    func aRunThatEndedEarlySaysSo(outcome: RunFinished.Outcome, words: String) {
        let text = SummaryText(sources: jobSources).text(summary([finishedRun(outcome)]))
        #expect(text.contains("nothing to do") && text.contains(words))
    }

    @Test func whatAServerSaysCannotSteerATerminalNorTellSecrets() {
        let failure = TaskFailure(
            .server, message: "answered \u{1B}[31mhunter22\n", advice: "look at https://u:p@h/")
        let text = FailureText(sources: jobSources, redactor: Redactor(secrets: ["hunter22"]))
            .text(finished("a", .failed, failure: failure))
        #expect(text.contains(#"answered \u{1B}[31m***\n"#))
        #expect(text.contains("next: look at https://***@h/\n"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func coloursAreUsedWhenAskedFor() {
        let text = FailureText(sources: jobSources, style: .ansi).text(finished("a", .failed, failure: Self.notFound))
        #expect(text.hasPrefix("\u{1B}[1;31mfailed\u{1B}[0m   a\n"))
    }
}
