package import RunnerExecution
internal import RunnerJob
package import RunnerPlan

/// A job that was planned, and where it works.
package struct PlannedJob: Sendable {
    package var plan: Plan
    package let site: JobSite
    /// Name of the run that carries it out.
    let run = RunIdentity.newRun()
    /// What it was planned with.
    let arguments: JobArguments
    /// Origins that earlier runs were asked to leave alone, and until when.
    let holds: [String: Int64]
    /// What its run is to note where all is in place at the end; nil for nothing.
    var settlement: SettlementOrder?
}
