package import RunnerExecution
package import RunnerPlan

/// A run as a command sees it: the executor's ``Run``, or a script in a test.
package protocol RunControl: Sendable {
    /// Carries the plan out; `sink` gets every event, in order, from one thread.
    func execute(_ sink: @escaping @Sendable (RunEvent) -> Void) async -> RunFinished
    /// Ends the run soon: nothing more is started, what is under way is kept for the next run.
    func stop(_ status: ExitStatus)
}

extension Run: RunControl {}

/// Makes the run of a plan.
package typealias RunMaker = @Sendable (Plan, RunOptions, JobSite) throws(Run.StartFailure) -> any RunControl
