import RunnerJob
import RunnerPlan
import RunnerReport
import Testing

@Suite("A plan for people")
struct PlanTextTests {
    @Test func columnsAndTotals() {
        #expect(
            PlanText(samplePlan).text == """
                fetch        .runner/lists/1-SUMS             not on disk
                fetch        iso/debian.iso         3.6 GiB   not on disk; after SUMS
                verify       old.iso                700 MiB   on disk, digest to be compared: will be read
                up to date   readme.txt                       on disk, to be kept as it is

                4 tasks: 2 fetch, 1 verify, 1 up to date
                to fetch: 3.6 GiB and 1 file of unknown size; 5.0 GiB free
                to read and compare: 700 MiB
                longest chain: 2 tasks, SUMS → iso
                longest wait between attempts: 15s a task, if every attempt fails

                """)
    }

    @Test func anEmptyPlan() {
        let job = Job(name: "none", file: "none.yaml", folder: "/", directory: "/", tasks: [])
        #expect(PlanText(Plan(job: job, tasks: [], order: [], warnings: [])).text == "0 tasks: nothing to do\n")
    }

    @Test func whatDoesNotFitIsSaid() {
        var plan = samplePlan
        plan.freeSpace = 1 << 30
        #expect(PlanText(plan).text.contains("; 1.0 GiB free: does not fit\n"))
        #expect(PlanText(plan, style: .ansi).text.contains("\u{1B}[1;31m"))
    }

    @Test func longNamesAndManyNeedsDoNotPushTheColumns() {
        var tasks = (0..<5).map { PlannedTask(task: download("t\($0)", line: 1), verdict: .fetch, reason: .notOnDisk) }
        let long = String(repeating: "n", count: 70)
        tasks.append(
            PlannedTask(
                task: download(long, line: 2), needs: [0, 1, 2, 3, 4], verdict: .fetch, reason: .notOnDisk))
        let plan = Plan(job: samplePlan.job, tasks: tasks, order: Array(0..<6), warnings: [])
        let lines = PlanText(plan).text.split(separator: "\n")
        #expect(lines[0] == "fetch        t0             not on disk")
        #expect(lines[5] == "fetch        \(long)             not on disk; after t0, t1, t2 and 2 more")
    }

    @Test func namesCannotSteerATerminalNorTellSecrets() {
        let task = PlannedTask(
            task: download("a", to: "hunter22/\u{1B}[2J", line: 1), verdict: .fetch, reason: .notOnDisk)
        let text = PlanText(Plan(job: samplePlan.job, tasks: [task], order: [0], warnings: [])).text
        #expect(text.hasPrefix("fetch        ***/\\u{1B}[2J "))
    }

    @Test(arguments: [
        (1, RetrySettings.Backoff.exponential, 1.0, 60.0, 2.0, 0.0), (5, .exponential, 1, 60, 2, 15),
        (10, .exponential, 1, 60, 2, 243), (5, .linear, 1, 3, 2, 9), (5, .constant, 2, 60, 2, 8),
        (5, .exponential, 90, 60, 2, 240), (4, .exponential, 1, 60, 1, 3), (3, .exponential, 0, 60, 2, 0),
        (1_000_000_000, .exponential, 1, 60, 1.000_000_1, 60e9), (0, .linear, 1, 60, 2, 0),
    ])
    func worstWait(
        attempts: Int, backoff: RetrySettings.Backoff, first: Double, max: Double, factor: Double, wait: Double
    ) {
        var retry = RetrySettings()
        retry.attempts = attempts
        retry.backoff = backoff
        retry.first = .seconds(first)
        retry.max = .seconds(max)
        retry.factor = factor
        func total() -> Double {
            let task = PlannedTask(task: download("a", line: 1, retry: retry), verdict: .fetch, reason: .notOnDisk)
            let plan = Plan(job: samplePlan.job, tasks: [task], order: [0], warnings: [])
            return PlanTotals(plan).worstWait / .seconds(1)
        }
        #expect(abs(total() - wait) <= wait / 1000)
        retry.deadline = .seconds(2)
        #expect(total() == Swift.min(wait, 2))
    }

    @Test func sizesBeyondAnyDiskDoNotOverflow() {
        let tasks = (0..<3).map { index in
            PlannedTask(
                task: download("t\(index)", line: 1), verdict: index == 0 ? .verify : .fetch, reason: .notOnDisk,
                bytes: .max)
        }
        let totals = PlanTotals(Plan(job: samplePlan.job, tasks: tasks, order: [0, 1, 2], warnings: []))
        #expect(totals.fetchBytes == .max && totals.readBytes == .max && !totals.exceedsFreeSpace)
    }
}
