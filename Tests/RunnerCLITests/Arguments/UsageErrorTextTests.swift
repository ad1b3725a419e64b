import RunnerCLI
import RunnerReport
import Testing

/// What a wrong command line is answered with.
@Suite struct UsageErrorTextTests {
    static let options = [
        OptionSpec("report", value: ValueSpec("FILE"), group: .output, help: ""),
        OptionSpec("report-progress", group: .output, help: ""),
        OptionSpec("dry-run", group: .action, help: ""),
        OptionSpec("fail-fast", group: .execution, help: ""),
    ]

    static func first(_ error: UsageError) -> String {
        UsageErrorText.lines(error, command: "run", commands: ["run", "plan", "check"]).first ?? ""
    }

    @Test(arguments: [
        ("--reprot", "--report"), ("--dryrun", "--dry-run"), ("--dry", "--dry-run"),
        ("--no-fail-fats", "--no-fail-fast"),
        ("--Report", "--report"),
    ])
    func aMisspeltOptionIsAnsweredWithTheOneMeant(written: String, meant: String) {
        let line = Self.first(.unknownOption(written, known: Self.options))
        #expect(line == "runner: error: unknown option `\(written)`; did you mean `\(meant)`?")
    }

    @Test(arguments: ["--parallel", "-x", "--", "--\u{1B}[31m"])
    func nothingIsOfferedForWhatIsFarFromEverything(written: String) {
        let line = Self.first(.unknownOption(written, known: Self.options))
        #expect(line == "runner: error: unknown option `\(written.printable)`")
        #expect(!line.contains("\u{1B}"))
    }

    @Test(arguments: [
        (UsageError.unknownCommand("rnu"), "unknown command `rnu`; did you mean `run`?"),
        (.unknownCommand("frobnicate"), "unknown command `frobnicate`"),
        (.noCommand, "no command given"),
        (.missingOperand("JOB"), "JOB is missing"),
        (.missingValue(options[0], written: "--report", next: nil), "`--report` needs a value: FILE"),
        (
            .missingValue(options[0], written: "--report", next: "--x"),
            "`--report` needs a value: FILE; if `--x` is meant, write `--report=--x`"
        ),
        (.unexpectedValue(written: "--all", value: "1"), "`--all` takes no value, but was given `1`"),
        (
            .unknownWord(option: "--color", value: "nevr", words: ["auto", "never"]),
            "unknown value `nevr` for --color; it is one of auto, never; did you mean `never`?"
        ),
        (
            .invalidValue(option: "--jobs", value: "x", wanted: "a number"),
            "`x` is no value for --jobs, which takes a number"
        ),
        (.unexpectedOperand("y"), "`y` is one argument too many"),
        (.conflict("--quiet", "--verbose"), "--quiet and --verbose cannot be used together"),
    ])
    func words(error: UsageError, text: String) {
        #expect(Self.first(error) == "runner: error: " + text)
    }

    @Test func theHelpOfTheCommandIsNamed() {
        #expect(UsageErrorText.lines(.noCommand, command: "run", commands: []).last == "Try `runner run --help`.")
        #expect(UsageErrorText.lines(.noCommand, command: nil, commands: []).last == "Try `runner --help`.")
    }
}
