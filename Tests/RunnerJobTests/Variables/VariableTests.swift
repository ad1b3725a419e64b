import RunnerJob
import Testing

@Suite struct VariableTests {
    private let environment = ["HOST": "example.org", "EMPTY": "", "TOKEN": "S3CRET"]

    /// What a text becomes as the `id` of a task.
    private func expand(_ text: String, vars: String = "{}", overrides: [String: String] = [:]) throws(JobFaults)
        -> String?
    {
        let job = "version: 1\nname: nightly\nvars: \(vars)\ntasks:\n- {download: http://h/a, id: '\(text)'}\n"
        return try JobText.parse(job, overrides: overrides, environment: environment).tasks.first?.id.text
    }

    private func faults(_ text: String, vars: String = "{}") -> [String] {
        JobText.faults(
            "version: 1\nvars: \(vars)\ntasks:\n- {download: http://h/a, id: '\(text)'}\n", environment: environment)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a$b", "a$b"), ("$HOME", "$HOME"), ("a$", "a$"), ("$", "$"), ("$$", "$"),
        ("$${x}", "${x}"), ("$$$$", "$$"),
        ("$$$", "$$"), ("$${", "${"), ("a}b", "a}b"), ("${env:HOST}", "example.org"),
        ("x${env:HOST}y", "xexample.orgy"),
        ("${env:NONE:-d}", "d"), ("${env:EMPTY:-d}", "d"), ("x${env:NONE:-}y", "xy"), ("${env:HOST:-d}", "example.org"),
        ("${env:NONE:-a-b:c}", "a-b:c"), ("${env:NONE:-${env:HOST}}", "example.org"),
        ("${env:NONE:-${env:NONE:-z}}", "z"), ("${env:NONE:-{x}", "{x"),
        ("${job.name}", "nightly"), ("${secret:TOKEN}", "S3CRET"), ("日${env:HOST}本", "日example.org本"),
        ("${date:%Y-%m-%d}", "2026-03-01"), ("${date-1d:%F}", "2026-02-28"), ("${date:%H:%M}", "12:34"),
    ])
    func putsIn(text: String, result: String) throws {
        #expect(try expand(text) == result)
    }

    @Test(arguments: [
        ("{a: x}", "${a}", "x"), ("{a: 1.10}", "${a}", "1.10"), ("{a: \"\"}", "x${a}", "x"),
        ("{a: 'x', b: \"${a}y\", c: \"${b}z\"}", "${c}", "xyz"),
        ("{b: \"${a}y\", a: x}", "${b}", "xy"), ("{a: \"$${b}\"}", "${a}", "${b}"), ("{a-b_1: x}", "${a-b_1}", "x"),
        ("{date: x}", "${date}", "x"),
        ("{a: \"${env:HOST}\"}", "${a}", "example.org"), ("{a: \"${job.name}\"}", "${a}", "nightly"),
    ])
    func putsInVariables(vars: String, text: String, result: String) throws {
        #expect(try expand(text, vars: vars) == result)
    }

    @Test func takesWhatIsSetFromOutsideAsItIs() throws {
        #expect(try expand("${a}", vars: "{a: x}", overrides: ["a": "y"]) == "y")
        #expect(try expand("${a}", overrides: ["a": "${b}"]) == "${b}")
        // What is replaced need not be worked out.
        #expect(try expand("${a}", vars: "{a: \"${env:NONE}\"}", overrides: ["a": "y"]) == "y")
    }

    @Test func refusesAnOverrideThatNothingUses() {
        let faults = JobText.faults("version: 1\nvars: {release: x}\ntasks: []\n", overrides: ["relase": "y"])
        #expect(faults == ["--set relase: the job has no variable `relase`; did you mean `release`?"])
    }

    @Test(arguments: [
        ("${a}", "4:31: the variable `a` is not set; add it to `vars`, or give it with --set a=…"),
        ("xy${HOST}", "4:33: the variable `HOST` is not set; the environment is read by ${env:HOST}"),
        ("日本${env:NONE}", "4:33: the environment variable `NONE` is not set; set it, or write ${env:NONE:-default}"),
        ("${env:EMPTY}", "4:31: the environment variable `EMPTY` is empty; set it, or write ${env:EMPTY:-default}"),
        ("${secret:NONE}", "4:31: the secret `NONE` is not set; set the environment variable of that name"),
        ("${a", "4:31: `${` is not closed by `}`; write `$${` where it is meant as text"),
        ("${env:A B}", "4:31: `A B` is no name of an environment variable"),
        ("${env:}", "4:31: `` is no name of an environment variable"),
        ("${secret:A:-b}", "4:31: `A:-b` is no name of a secret; it takes letters, digits, `_` and `-`"),
        ("${env:A:b}", "4:31: a default is written ${env:A:-default}"),
        (
            "${date-1x:%F}",
            "4:31: `-1x` is no shift of a date; write for instance ${date-1d:%Y-%m-%d} (units w, d, h, m, s)"
        ),
        ("${date:}", "4:31: a date wants its form, such as ${date:%Y-%m-%d}"),
    ])
    func refusesAtThePlace(text: String, fault: String) {
        #expect(faults(text) == [fault])
    }

    @Test(arguments: ["${}", "${a b}", "${1a}", "${job.id}", "${ENV:HOME}", "${a:-b}", "${-a}"])
    func listsWhatIsKnown(text: String) {
        #expect(faults(text).count == 1)
        #expect(faults(text).first?.hasPrefix("4:31: `\(text)` cannot be read; known are ${name}") == true)
    }

    @Test func suggestsAVariable() {
        #expect(
            faults("${relase}", vars: "{release: x}") == [
                "4:31: the variable `relase` is not set; did you mean `release`?"
            ])
    }

    @Test func tellsEveryFaultOfOneText() {
        #expect(faults("${a}-${b}").map { $0.prefix(5) } == ["4:31:", "4:36:"])
    }

    @Test func pointsAtTheScalarWhereItIsSpeltOtherwise() {
        #expect(JobText.faults(JobText.task("id: \"\\x41${a}\"")).first?.hasPrefix("4:9: ") == true)
        #expect(JobText.faults(JobText.task("id: |", "    x${a}")).first?.hasPrefix("4:9: ") == true)
    }

    // MARK: Variables of variables

    @Test func namesACycleWithItsPlaces() throws {
        let text = "version: 1\nvars:\n  a: ${b}\n  b: x${c}\n  c: ${a}\ntasks: []\n"
        let faults = #expect(throws: JobFaults.self) { _ = try JobText.parse(text) }
        let fault = try #require(faults?.diagnostics.first)
        #expect(faults?.diagnostics.count == 1)
        #expect(fault.message == "variables refer to each other in a cycle: a → b → c → a")
        #expect(fault.place == Place(line: 5, column: 6))
        #expect(fault.notes.map(\.place) == [Place(line: 3, column: 6), Place(line: 4, column: 7)])
    }

    @Test(arguments: ["{a: \"${a}\"}", "{a: \"${env:NONE:-${a}}\"}"])
    func noticesAVariableOfItself(vars: String) {
        #expect(faults("x", vars: vars).map { $0.contains("cycle: a → a") } == [true])
    }

    @Test func noticesThatTheNameIsMadeOfItself() {
        let faults = JobText.faults("version: 1\nname: x${job.name}\ntasks: []\n")
        #expect(faults == ["2:8: variables refer to each other in a cycle: job.name → job.name"])
    }

    @Test func reportsAFaultOnceHoweverOftenTheVariableIsUsed() {
        #expect(faults("${a}${a}${b}", vars: "{a: \"${env:NONE}\", b: \"${a}\"}").count == 1)
    }

    @Test func stopsLongChains() {
        let vars = (0..<5000).map { "  v\($0): ${v\($0 + 1)}\n" }.joined() + "  v5000: x\n"
        let faults = JobText.faults("version: 1\nvars:\n\(vars)tasks: []\n")
        #expect(faults.first?.contains("over more than 100 steps") == true)
    }

    @Test func stopsATextThatGrows() {
        let vars = (1..<40).map { "  v\($0): ${v\($0 - 1)}${v\($0 - 1)}\n" }.joined()
        let faults = JobText.faults("version: 1\nvars:\n  v0: xxxxxxxx\n\(vars)tasks: []\n")
        #expect(faults.first?.hasSuffix("the text is longer than 1 MiB with its variables put in") == true)
    }

    @Test(arguments: [
        (
            "{1a: x}",
            "2:8: `1a` is no name of a variable; it takes letters, digits, `_` and `-`, and begins with a letter"
        ),
        ("{a: [x]}", "2:11: the variable `a` wants a text"),
        ("{a: }", "2:11: the variable `a` wants a text; write \"\" for an empty one"),
        ("[a]", "2:7: `vars` wants a mapping, such as `vars: {release: \"12.5\"}`"),
    ])
    func refusesVariablesThatAreNone(vars: String, fault: String) {
        #expect(faults("x", vars: vars) == [fault])
    }
}
