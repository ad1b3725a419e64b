import RunnerCLI
import RunnerExecution
import Testing

/// How the program finds what is meant.
@Suite struct ProgramTests {
    @Test(arguments: [
        ["--help"], ["-h"], ["help"], ["help", "--help"], ["help", "plan"], ["plan", "--help"], ["--version"], ["-V"],
    ])
    func helpAndVersionAreData(words: [String]) async throws {
        let test = try TestContext()
        #expect(await Program.run(words, in: test.context).rawValue == 0)
        #expect(!test.output.text.isEmpty)
        #expect(test.errors.text == "")
    }

    @Test func helpOnACommandIsTheCommandsHelp() async throws {
        let (one, other) = (try TestContext(), try TestContext())
        _ = await one.run("help", "plan")
        _ = await other.run("plan", "job", "--bogus", "--help")
        #expect(one.output.text == other.output.text)
        #expect(one.output.text.hasPrefix("Usage: runner plan [OPTION…] JOB\n"))
    }

    @Test(arguments: [
        ([], "no command given"), (["plna"], "unknown command `plna`; did you mean `plan`?"),
        (["--plan"], "unknown option `--plan`"), (["--hepl"], "did you mean `--help`?"),
        (["help", "chekc"], "did you mean `check`?"), (["check"], "JOB is missing"),
        (["check", "--qiet", "x"], "did you mean `--quiet`?"), (["plan", "a", "b"], "`b` is one argument too many"),
        (["plan", "a", "--format", "svg"], "text, json, dot"), (["completion"], "bash|zsh|fish is missing"),
        (["lock", "-"], "lock and a job from standard input cannot be used together"),
        (["plan", "a", "--locked"], "unknown option `--locked`"), (["statsu"], "unknown command `statsu`"),
    ])
    func aWrongCommandLineIsRefused(words: [String], text: String) async throws {
        let test = try TestContext()
        #expect(await Program.run(words, in: test.context).rawValue == 2)
        #expect(test.errors.text.hasPrefix("runner: error: "))
        #expect(test.errors.text.contains(text))
        #expect(test.output.text == "")
    }

    @Test func everyOptionIsInTheHelpOfItsCommand() {
        for spec in Program.specs {
            let page = HelpPage.command(spec).joined(separator: "\n")
            for option in spec.options { #expect(page.contains(option.forms), "\(spec.name) \(option.long)") }
        }
    }

    @Test func helpFitsEightyColumns() {
        let pages =
            Program.specs.map(HelpPage.command)
            + [HelpPage.program(Program.specs, summary: Program.summary, statuses: ExitStatusRow.all)]
        for line in pages.joined() { #expect(line.count <= 80, "\(line)") }
    }

    @Test func namesOfOptionsAreUnique() {
        for spec in Program.specs {
            let long = spec.options.map(\.long)
            let short = spec.options.compactMap(\.short)
            #expect(Set(long).count == long.count, "\(spec.name)")
            #expect(Set(short).count == short.count, "\(spec.name)")
        }
    }
}
