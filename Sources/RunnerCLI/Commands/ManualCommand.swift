package import RunnerExecution

/// `runner manual`: prints the manual page, for the installer; not in the list of commands.
package struct ManualCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "manual", summary: "Print the manual page",
        description: ["Prints the manual page runner(1) in the form that man reads."],
        examples: [CommandSpec.Example("runner manual | man -l -", "read it")],
        isHidden: true)

    package init(_ arguments: ParsedArguments) throws(UsageError) {}

    package func run(in context: Context) async -> ExitStatus {
        context.console.data(
            ManualPage.roff(
                Program.specs, summary: Program.summary, statuses: ExitStatusRow.all, version: Program.version))
        return .success
    }
}
