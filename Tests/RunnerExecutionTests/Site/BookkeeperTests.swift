import RunnerPlan
import RunnerStorage
import RunnerTransfer
import TestSupport
import Testing

@testable import RunnerExecution

@Suite struct BookkeeperTests {
    /// The first task may fill the disk before a worker gets to write anything.
    @Test func roomForTheEndIsTakenBeforeAnyTaskBegins() throws {
        let bench = try JobBench()
        let site = JobSite(try bench.plan("  []").job, identity: "job")
        try site.occupy(run: "one")
        // Nobody wakes them: what is handed in to them is done when they are stopped.
        let workers = Workers(count: 1, waking: .onCall)
        let bookkeeper = Bookkeeper(site: site, workers: workers) { _ in }
        bookkeeper.begin(RunRow(run: "one", job: "job", name: "job", file: "job.yaml", started: 0))
        #expect(bench.folder.files().contains { $0.contains("spare-") })
        workers.stop()
        site.leave()
    }
}
