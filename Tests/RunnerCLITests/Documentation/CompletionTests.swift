import RunnerCLI
import TestSupport
import Testing

/// What shells offer with the scripts of `runner completion`.
@Suite struct CompletionTests {
    static let spec = CommandSpec(
        "fetch", summary: "Fetch: what's [needed]",
        operand: CommandSpec.Operand(ValueSpec("JOB", .file), isRepeatable: true),
        options: [
            OptionSpec("all", short: "a", group: .action, help: "It's all"),
            OptionSpec("color", value: .choice(["auto", "never"]), group: .output, help: "Colours"),
            OptionSpec("only", value: ValueSpec("ID"), isRepeatable: true, group: .input, help: "Only: this"),
            OptionSpec("into", short: "C", value: ValueSpec("DIR", .folder), group: .input, help: "Folder"),
        ])
    static let hidden = CommandSpec("secret", summary: "Hidden", isHidden: true)

    /// The words that bash offers for the last of `words`, by the script itself.
    @Test(arguments: [
        (["runner", ""], "fetch help --help --version"), (["runner", "fe"], "fetch"),
        (["runner", "fetch", "--"], "--all --color --only --into --help"), (["runner", "fetch", "--co"], "--color"),
        (["runner", "fetch", "--color", ""], "auto never"), (["runner", "fetch", "--color", "=", "n"], "never"),
        (["runner", "fetch", "--color", "="], "auto never"), (["runner", "fetch", "jo"], "job.yaml"),
        (["runner", "fetch", "--only", "jo"], ""), (["runner", "fetch", "--into", ""], "sub"),
        (["runner", "fetch", "-C", ""], "sub"), (["runner", "help", ""], "fetch"),
    ])
    func bashOffers(words: [String], expected: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write("job.yaml", "")
        try folder.write("sub/x", "")
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        try folder.write(
            "sub/try.bash",
            ShellCompletion.bash.script([Self.spec, Self.hidden]).joined(separator: "\n") + """

                compopt() { :; }
                COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
                _runner
                echo "${COMPREPLY[*]}"
                """)
        let bash = try ChildProcess(
            "/bin/bash", ["--norc", "sub/try.bash"], environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
        #expect(await bash.wait() == .exited(0))
        #expect(String(decoding: bash.output, as: UTF8.self) == expected + "\n")
        #expect(bash.errorOutput.isEmpty)
    }

    @Test(arguments: ShellCompletion.allCases)
    func scriptsAreAsReviewed(shell: ShellCompletion) throws {
        let script = shell.script([Self.spec, Self.hidden]).joined(separator: "\n") + "\n"
        try expectGolden(script, "completion.\(shell.rawValue)")
    }

    @Test func helpIsAsReviewed() throws {
        try expectGolden(HelpPage.command(Self.spec).joined(separator: "\n") + "\n", "command.help")
        let program = HelpPage.program([Self.spec, Self.hidden], summary: Program.summary, statuses: ExitStatusRow.all)
        try expectGolden(program.joined(separator: "\n") + "\n", "program.help")
    }

    @Test func theManualIsAsReviewed() throws {
        let page = ManualPage.roff(
            [Self.spec, Self.hidden], summary: ".Begins with a dot", statuses: ExitStatusRow.all, version: "1.2.3")
        try expectGolden(page.joined(separator: "\n") + "\n", "manual.1")
    }
}
