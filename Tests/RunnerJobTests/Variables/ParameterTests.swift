import RunnerJob
import Testing

@Suite struct ParameterTests {
    private func id(
        _ top: String, _ text: String, overrides: [String: String] = [:], variables: [String] = []
    ) throws(JobFaults) -> String? {
        let names = variables.indices.map { "v\($0).yaml" }
        let files = Dictionary(uniqueKeysWithValues: zip(names.map { "/here/" + $0 }, variables))
        return try JobParser.parse(
            JobText.input(
                "version: 1\n\(top)\ntasks:\n- {download: http://h/a, id: '\(text)'}\n", overrides: overrides,
                variableFiles: names, files: files)
        ).tasks.first?.id.text
    }

    @Test(arguments: [
        ("params: {a: {default: x}}", "x"), ("params: {a: {default: x, values: [x, y]}}", "x"),
        ("params: {a: }\nvars: {b: x}", "given"), ("params: {a: {required: true}}", "given"),
        ("params: {a: {default: \"${b}\"}}\nvars: {b: x}", "x"),
    ])
    func takesItsDefaultUnlessGiven(top: String, value: String) throws {
        let overrides = value == "given" ? ["a": "given"] : [:]
        #expect(try id(top, "${a}", overrides: overrides) == value)
        #expect(try id(top, "${a}", overrides: ["a": "y"]) == "y")
    }

    @Test func prefersSetThenFilesThenTheJob() throws {
        let top = "params: {a: {default: p}, b: {default: p}, c: {default: p}}\nvars: {d: v, e: v}"
        #expect(
            try id(
                top, "${a}${b}${c}${d}${e}", overrides: ["a": "s"],
                variables: ["{a: 1, b: 1, c: 1, d: 1}", "{a: 2, c: 2, d: \"${b}\"}"]) == "s121v")
    }

    @Test(arguments: [
        (
            "params: {a: {required: true, description: the release}}", "x",
            "2:10: the parameter `a` (the release) is required; give it with --set a=…"
        ),
        ("params: {a: {required: true}}", "${a}", "2:10: the parameter `a` is required; give it with --set a=…"),
        ("params: {a: {values: [b]}}", "${a}", "4:31: the parameter `a` has no value; give it with --set a=…"),
        (
            "params: {a: {default: fst, values: [fast, slow]}}", "x",
            "2:10: the parameter `a` cannot be `fst`; it takes `fast`, `slow`; did you mean `fast`?"
        ),
        ("params: {a: {required: true, default: x}}", "x", "2:10: the parameter `a` is required and has a default"),
        ("params: {a: {default: x}}\nvars: {a: y}", "x", "2:10: `a` is declared twice"),
        ("params: {a b: {}}", "x", "2:10: `a b` is no name of a variable"),
        ("params: {a: x}", "x", "2:13: `a` wants a mapping, such as `a: {default: \"12.5\"}`"),
        ("params: {a: {defalt: x}}", "x", "2:14: unknown key `defalt` in a parameter; did you mean `default`?"),
        ("params: [a]", "x", "2:9: `params` wants a mapping"),
    ])
    func refuses(top: String, text: String, message: String) {
        let faults = JobText.faults("version: 1\n\(top)\ntasks:\n- {download: http://h/a, id: '\(text)'}\n")
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix(message) == true, "\(faults)")
    }

    /// A file that includes another may choose among its values, and not beyond them.
    @Test(arguments: [("b", true), ("c", false)])
    func holdsWhatEachFileAsksFor(_ value: String, _ isGood: Bool) {
        let report = JobText.report(
            JobText.input(
                "version: 1\ninclude: lib.yaml\nparams: {p: {default: \(value)}}\ntasks: []\n",
                files: ["/jobs/lib.yaml": "version: 1\nparams: {p: {values: [a, b]}}\ntasks: ['http://h/${p}']\n"]))
        let fault = "lib.yaml:2:10: error: the parameter `p` cannot be `c`; it takes `a`, `b`"
        #expect(isGood ? report.isEmpty : report.hasPrefix(fault), "\(report)")
    }

    @Test func aListOfNoValuesIsAFault() {
        #expect(
            JobText.faults("version: 1\nparams: {p: {values: []}}\ntasks: []\n") == [
                "2:14: `values` names nothing that it may be"
            ])
    }

    @Test func checksWhatIsGiven() {
        #expect(
            JobText.faults("version: 1\nparams: {a: {values: [fast]}}\ntasks: []\n", overrides: ["a": "z"]) == [
                "2:10: the parameter `a` cannot be `z`; it takes `fast`"
            ])
    }

    @Test func warnsOfVariablesThatNothingUses() throws {
        let report = JobText.report(
            JobText.input(
                "version: 1\nvars: {release: x}\ntasks: []\n", variableFiles: ["v.yaml"],
                files: ["/here/v.yaml": "x-note: y\nrelase: 1\n"]))
        #expect(
            report == """
                v.yaml:2:1: warning: the job has no variable `relase`; did you mean `release`?
                    relase: 1
                    ^

                """)
    }

    /// What begins with `x-` may be a home of anchors, and a variable too.
    @Test func aFileOfVariablesGivesThoseThatBeginLikeAnAnchorsHome() throws {
        let job = try JobParser.parse(
            JobText.input(
                "version: 1\nvars: {x-v: early}\ntasks: ['http://h/${x-v}']\n", variableFiles: ["v.yaml"],
                files: ["/here/v.yaml": "x-home: [&a late]\nx-v: *a\n"]))
        #expect(job.tasks.map(\.id.text) == ["late"])
    }

    @Test(arguments: ["", "# nothing\n", "\n"])
    func aFileWithoutVariablesGivesNone(_ text: String) {
        let report = JobText.report(
            JobText.input(
                "version: 1\nvars: {a: x}\ntasks: []\n", variableFiles: ["v.yaml"], files: ["/here/v.yaml": text]))
        #expect(report.isEmpty, "\(report)")
    }

    @Test(arguments: [
        ("", "error: --vars v.yaml: No such file or directory"), ("- a", "v.yaml:1:1: error: `--vars` wants a mapping"),
        ("a: ${b}", "v.yaml:1:4: error: the variable `b` is not set"),
        ("a: [1]", "v.yaml:1:4: error: the variable `a` wants a text"),
    ])
    func pointsIntoTheFileOfVariables(content: String, message: String) {
        let report = JobText.report(
            JobText.input(
                "version: 1\nvars: {a: x}\ntasks: []\n", variableFiles: ["v.yaml"],
                files: content.isEmpty ? [:] : ["/here/v.yaml": content + "\n"]))
        #expect(report.hasPrefix(message), "\(report)")
    }
}
