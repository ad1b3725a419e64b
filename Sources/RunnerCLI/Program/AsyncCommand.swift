package import RunnerExecution

/// A command of the program.
package protocol AsyncCommand: Sendable {
    /// What it takes, and how it is explained.
    static var spec: CommandSpec { get }
    /// Takes what was parsed.
    ///
    /// - Throws: ``UsageError`` where the values do not fit one another.
    init(_ arguments: ParsedArguments) throws(UsageError)
    /// Does it; everything of the outside world is reached through `context`.
    func run(in context: Context) async -> ExitStatus
}
