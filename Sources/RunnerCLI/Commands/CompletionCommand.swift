package import RunnerExecution

/// `runner completion`: prints the completion script of a shell.
package struct CompletionCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "completion", summary: "Print a completion script for a shell",
        description: ["Prints a script that lets a shell complete the commands and options of runner."],
        operand: CommandSpec.Operand(.choice(ShellCompletion.allCases.map(\.rawValue))),
        examples: [
            CommandSpec.Example("source <(runner completion bash)", "complete in this bash"),
            CommandSpec.Example(
                "runner completion fish > ~/.config/fish/completions/runner.fish", "complete in every fish"),
        ])

    private let shell: ShellCompletion

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let shell = arguments.operands.first.flatMap(ShellCompletion.init) else {
            throw .missingOperand("shell")
        }
        self.shell = shell
    }

    package func run(in context: Context) async -> ExitStatus {
        context.console.data(shell.script(Program.specs))
        return .success
    }
}
