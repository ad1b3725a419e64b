internal import Glibc
package import RunnerExecution

/// The program: finds the command that is meant, and runs it.
public enum Program {
    /// The version of the program (semver.org).
    package static let version = "0.1.0"

    package static let summary =
        "Fetches what a job file asks for, in the order that its tasks need, and reports every step."

    static let commands: [any AsyncCommand.Type] = [
        RunCommand.self, PlanCommand.self, CheckCommand.self, GetCommand.self, LockCommand.self,
        VerifyCommand.self, StatusCommand.self, HistoryCommand.self, ReportCommand.self, CleanCommand.self,
        ImportCommand.self, CompletionCommand.self, ManualCommand.self,
    ]

    package static var specs: [CommandSpec] { commands.map { $0.spec } }

    /// Runs a command line, given without the program's own name.
    ///
    /// Data that could not be written makes it a failure; a reader that has read enough does not.
    package static func run(_ words: [String], in context: Context) async -> ExitStatus {
        let status = await command(words, in: context)
        guard let errno = context.console.output.failure, errno != EPIPE else { return status }
        context.console.message(["runner: error: \(FileFault(path: "standard output", code: errno).message)"])
        return ExitStatus.strongest(of: [status, .cannotGoOn])
    }

    private static func command(_ words: [String], in context: Context) async -> ExitStatus {
        guard let first = words.first else { return refuse(.noCommand, in: context) }
        switch first {
        case "--help", "-h": return help(on: [], in: context)
        case "help": return help(on: words.dropFirst(), in: context)
        case "--version", "-V":
            context.console.data([VersionText.line])
            return .success
        case _ where first.hasPrefix("-"):
            return refuse(.unknownOption(first, known: [.help, .version]), in: context)
        default: return await runCommand(first, words.dropFirst(), in: context)
        }
    }

    private static func runCommand(_ name: String, _ words: ArraySlice<String>, in context: Context) async -> ExitStatus
    {
        guard let command = commands.first(where: { $0.spec.name == name }) else {
            return refuse(.unknownCommand(name), in: context)
        }
        let made: any AsyncCommand
        do throws(UsageError) {
            let arguments = try ArgumentParser.parse(words, for: command.spec)
            if arguments.has(.help) { return help(on: [name], in: context) }
            made = try command.init(arguments)
        } catch {
            return refuse(error, command: name, in: context)
        }
        return await made.run(in: context)
    }

    private static func help(on words: ArraySlice<String>, in context: Context) -> ExitStatus {
        guard let name = words.first(where: { !$0.hasPrefix("-") }) else {
            context.console.data(HelpPage.program(specs, summary: summary, statuses: ExitStatusRow.all))
            return .success
        }
        guard let spec = specs.first(where: { $0.name == name }) else {
            return refuse(.unknownCommand(name), in: context)
        }
        context.console.data(HelpPage.command(spec))
        return .success
    }

    private static func refuse(_ error: UsageError, command: String? = nil, in context: Context) -> ExitStatus {
        let names = specs.filter { !$0.isHidden }.map(\.name) + ["help"]
        context.console.message(UsageErrorText.lines(error, command: command, commands: names))
        return .usage
    }
}

extension OptionSpec {
    fileprivate static let version = OptionSpec(
        "version", isNegatable: false, group: .general, help: "Show the version")
}
