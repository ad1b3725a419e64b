import RunnerJob
import Testing

@Suite struct LimitsTests {
    private func limits(_ text: String) throws -> Limits {
        try JobText.parse("version: 1\nlimits: {\(text)}\ntasks: []\n").limits
    }

    @Test func readsEveryLimit() throws {
        let limits = try limits(
            "concurrency: 3, per_host: 2, rate: 10MiB/s, window: [\"22:00-06:00\", \"Sat 00:00-24:00\"],"
                + " budget: {bytes: 10GiB, time: 2h}, failures: 25%")
        #expect(limits.concurrency == 3 && limits.perHost == 2)
        #expect(limits.rate == 10 << 20)
        #expect(limits.windows.map(\.begin) == [1320, 0])
        #expect(limits.budget == Limits.Budget(bytes: 10 << 30, time: .seconds(7200)))
        #expect(limits.failures == .percent(25))
    }

    @Test(arguments: [
        ("failures: continue", Limits.Failures.unlimited), ("failures: stop", .count(1)), ("failures: 3", .count(3)),
        ("failures: 100%", .percent(100)), ("failures: '1%'", .percent(1)),
    ])
    func readsFailures(text: String, failures: Limits.Failures) throws {
        #expect(try limits(text).failures == failures)
    }

    @Test(
        arguments: [
            (Limits.Failures.unlimited, 10, nil), (.count(3), 10, 3), (.percent(10), 10, 1), (.percent(10), 11, 2),
            (.percent(1), 5, 1), (.percent(100), 7, 7), (.percent(50), 0, 1),
        ] as [(Limits.Failures, Int, Int?)])
    func countsFailures(failures: Limits.Failures, required: Int, ceiling: Int?) {
        #expect(failures.ceiling(required: required) == ceiling)
    }

    @Test(arguments: [
        (
            "rate: 10MiB",
            "2:16: `rate` wants a rate, such as 10MiB/s or 500kB/s: `10MiB` has no unit; write for instance 10MiB/s"
        ),
        (
            "rate: 10MB/m",
            "2:16: `rate` wants a rate, such as 10MiB/s or 500kB/s: `10MB/m` has the unknown unit `MB/m`; known are B,"
                + " kB, MB, GB, TB, KiB, MiB, GiB, TiB"
        ),
        ("window: []", "2:18: `window` is an empty list; leave it out if transfers may always run"),
        ("window: '24:00-06:00'", "2:18: `24:00-06:00` begins at 24:00, where a day is over; write 00:00"),
        ("rate: 0/s", "2:16: `rate` must be more than zero"),
        (
            "window: night",
            "2:18: `night` is no window; write begin and end, such as 22:00-06:00, with days before them if need be"
        ),
        (
            "window: ['Mo 22:00-06:00']",
            "2:19: `Mo 22:00-06:00` has the unknown day `Mo`; write Mon, Tue, Wed, Thu, Fri, Sat, Sun"
        ),
        ("budget: {bites: 1GB}", "2:19: unknown key `bites` in `budget`; did you mean `bytes`?"),
        ("budget: {bytes: 0}", "2:26: `bytes` must be more than zero"),
        ("budget: 10GB", "2:18: `budget` wants a mapping, such as `budget: {bytes: 10GiB}`"),
        (
            "failures: 0",
            "2:20: `failures` wants `continue`, `stop`, a number from 1, or a share from 1% to 100%, not `0`"
        ),
        (
            "failures: 101%",
            "2:20: `failures` wants `continue`, `stop`, a number from 1, or a share from 1% to 100%, not `101%`"
        ),
    ])
    func tellsWhatIsWrong(text: String, message: String) {
        #expect(JobText.faults("version: 1\nlimits: {\(text)}\ntasks: []\n") == [message])
    }

    @Test(arguments: [
        ("segments: auto", Download.Segments.auto), ("segments: 1", .single), ("segments: 8", .fixed(8)),
    ])
    func readsSegments(text: String, segments: Download.Segments) throws {
        #expect(try JobText.parseTask(text)?.download.segments == segments)
    }

    @Test func readsTheRateOfATaskAndOfDefaults() throws {
        let tasks = try JobText.parse(
            "version: 1\ndefaults: {rate: 1MB/s, segments: 4}\ntasks:\n- http://h/a\n"
                + "- {download: http://h/b, rate: 2kB/s, segments: 1}\n"
        ).tasks
        #expect(tasks.map(\.download.rate) == [1_000_000, 2000])
        #expect(tasks.map(\.download.segments) == [.fixed(4), .single])
    }

    @Test(arguments: ["segments: 0", "segments: many", "segments: 65"])
    func refusesOtherSegments(text: String) {
        #expect(
            JobText.faults(JobText.task(text)).first?.contains("`auto` or a number of connections from 1 to 64") == true
        )
    }
}
