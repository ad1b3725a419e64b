internal import RunnerImport

/// The options of all commands; a command lists those that it takes.
extension OptionSpec {
    // What a job is.
    static let set = OptionSpec(
        "set", value: ValueSpec("NAME=VALUE"), isRepeatable: true, group: .input,
        help: "Give a variable of the job another value")
    static let vars = OptionSpec(
        "vars", value: ValueSpec("FILE", .file), isRepeatable: true, group: .input,
        help: "Take values of variables from a file of names and texts; --set comes before it")
    static let directory = OptionSpec(
        "directory", short: "C", value: ValueSpec("DIR", .folder), group: .input,
        help: "Root of the paths that tasks read and write, instead of the job's own")
    static let only = OptionSpec(
        "only", value: ValueSpec("ID"), isRepeatable: true, group: .input,
        help: "Only this task and what it needs; ID,ID for several")

    static let state = OptionSpec(
        "state", value: ValueSpec("DIR", .folder), group: .input,
        help: "Folder of what is kept between runs, instead of .runner in the job's directory")
    static let noRun = OptionSpec(
        "no-run", isNegatable: false, group: .input,
        help: "Refuse a job that runs programs, for job files that you do not trust")

    // What is done.
    static let dryRun = OptionSpec(
        "dry-run", short: "n", group: .action, help: "Say what would be done and why; change nothing")
    static let probe = OptionSpec(
        "probe", group: .action,
        help: "Ask the servers for sizes, validators and ranges, and show what would fail; fetch nothing")
    static let explain = OptionSpec(
        "explain", value: ValueSpec("ID"), group: .action,
        help: "Show every field of one task, its value, and the line that gives it")
    static let planFormat = OptionSpec(
        "format", value: .choice(PlanFormat.allCases.map(\.rawValue)), group: .output,
        help: "How the plan is written; text unless given")
    static let verifyFormat = OptionSpec(
        "format", value: .choice(VerifyFormat.allCases.map(\.rawValue)), group: .output,
        help: "How the result is written; text unless given")
    static let locked = OptionSpec(
        "locked", group: .action, help: "Take only what the lock file says; anything else is a failure, status 5")
    static let update = OptionSpec(
        "update", value: ValueSpec("ID"), isRepeatable: true, group: .input,
        help: "Lock only this download anew; ID,ID for several")
    static let outputFile = OptionSpec(
        "output", short: "o", value: ValueSpec("FILE", .file), group: .action,
        help: "Name of the file; a folder when it ends in /")
    static let jobFile = OptionSpec(
        "output", short: "o", value: ValueSpec("FILE", .file), group: .output,
        help: "Write the job file there, where no file may be yet; standard output unless given")
    static let listFormat = OptionSpec(
        "format", value: .choice(ListFormat.allCases.map(\.rawValue)), group: .input,
        help: "What the list is; told by its name and text unless given")
    static let base = OptionSpec(
        "base", value: ValueSpec("URL"), group: .input,
        help: "Where relative URLs, and the paths of a checksum list, start from")
    static let sha256 = OptionSpec(
        "sha256", value: ValueSpec("HEX"), group: .action, help: "SHA-256 that the file must have")
    static let digest = OptionSpec(
        "digest", value: ValueSpec("DIGEST"), isRepeatable: true, group: .action,
        help: "Digest that the file must have, in any usual spelling, such as sha512:HEX or sha256-BASE64")

    static let rehash = OptionSpec(
        "rehash", group: .action, help: "Believe nothing that earlier runs recorded: read or fetch every file")
    static let retryFailed = OptionSpec(
        "retry-failed", group: .action, help: "Only what the last run did not get done, and what that needs")
    static let compare = OptionSpec("compare", group: .action, help: "Set two runs against each other")
    static let recordFormat = OptionSpec(
        "format", value: .choice(RecordFormat.allCases.map(\.rawValue)), group: .output,
        help: "How the result is written; text unless given")

    static let reportFormat = OptionSpec(
        "format", value: .choice(ReportFormat.allCases.map(\.rawValue)), group: .output,
        help: "How the runs are written; text unless given")

    // How it is done.
    static let wait = OptionSpec(
        "wait", group: .execution, help: "Where another run of the same job is at work, wait for its end and go on")
    static let jobs = OptionSpec(
        "jobs", short: "j", value: ValueSpec("N"), group: .execution,
        help: "Transfers at a time, instead of the job's limits.concurrency")
    static let failFast = OptionSpec(
        "fail-fast", group: .execution, help: "Start nothing more once a required task has failed")
    static let keepBad = OptionSpec(
        "keep-bad", value: ValueSpec("DIR", .folder), group: .execution,
        help: "Keep files that are not what the job says in DIR, to look into them")

    // What is told.
    static let report = OptionSpec(
        "report", value: ValueSpec("FILE", .file), group: .output,
        help: "Write the report, JSON lines, to FILE; - is standard output")
    static let reportProgress = OptionSpec(
        "report-progress", group: .output, help: "Put the progress of transfers into the report too")
    static let quiet = OptionSpec("quiet", short: "q", group: .output, help: "Say nothing but errors")
    static let verbose = OptionSpec(
        "verbose", short: "v", group: .output, help: "Name every task and every attempt")
    static let color = OptionSpec(
        "color", value: .choice(TerminalTraits.ColorChoice.allCases.map(\.rawValue)), group: .output,
        help: "Colours in messages; auto means on a terminal")
    static let progress = OptionSpec(
        "progress", value: .choice(TerminalTraits.ProgressChoice.allCases.map(\.rawValue)), group: .output,
        help: "Bars on a terminal and quiet lines elsewhere (auto), quiet lines (plain), or neither (none)")
}

/// Words of `plan --format`.
enum PlanFormat: String, CaseIterable, Sendable { case text, json, dot, mermaid }

/// Words of `--format` where past runs are told of.
enum RecordFormat: String, CaseIterable, Sendable { case text, json }

/// Words of `report --format`.
enum ReportFormat: String, CaseIterable, Sendable { case text, junit, markdown, html }

/// Words of `verify --format`.
enum VerifyFormat: String, CaseIterable, Sendable { case text, json }
