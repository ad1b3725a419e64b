internal import RunnerExecution
internal import RunnerReport

/// Takes the leases of jobs, at once or after a wait.
struct Occupation {
    let context: Context
    /// Whether another run is waited for.
    let waits: Bool
    let isQuiet: Bool

    /// Time between two looks at a lease that is waited for.
    private static let pause = Duration.milliseconds(200)

    /// Takes the leases of all jobs, or of none.
    ///
    /// None is kept while another is waited for, so that two series never wait for each other.
    ///
    /// - Returns: whether another run has ended meanwhile.
    func occupy(_ jobs: [PlannedJob]) async throws(SiteRefusal) -> Bool {
        var hasWaited = false
        while true {
            do throws(SiteRefusal) {
                for job in jobs { try job.site.occupy(run: job.run) }
                return hasWaited
            } catch {
                for job in jobs { job.site.leave() }
                guard waits, error.isOccupied else { throw error }
                if !hasWaited, !isQuiet { context.console.message(["runner: waiting, as " + error.message]) }
                hasWaited = true
                try? await context.clock.sleep(for: Self.pause)
            }
        }
    }
}
