import Testing

@testable import RunnerJob

/// What people write that YAML reads otherwise, and what they are told.
@Suite struct YAMLTrapTests {
    @Test(arguments: [
        ("to: @a", "4:9: a text cannot begin with `@` in YAML; put the whole text in quotes"),
        ("to: %a", "4:9: a text cannot begin with `%` in YAML; put the whole text in quotes"),
        ("to: *.txt", "4:10: `*` begins an alias in YAML; put a text that begins with `*` in quotes"),
        ("to: *txt", "4:9: there is no anchor `&txt` before this alias; put a text that begins with `*` in quotes"),
        ("to: &.txt", "4:10: `&` begins an anchor in YAML; put a text that begins with `&` in quotes"),
        ("to: !a b", "4:9: the tag `!a` is not allowed; only `!!str` is, and it is not needed"),
        ("needs: [${a}]", "4:14: \(YAMLTraps.quoteVariable)"),
        ("headers: {A: ${a}}", "4:19: \(YAMLTraps.quoteVariable)"),
        ("headers: {A: x${a}}", "4:20: \(YAMLTraps.quoteVariable)"),
        (
            "to: {{ a }}/b",
            "4:10: `{{` begins a mapping in a mapping; a variable is written ${name}, and a text that begins with `{`"
                + " is put in quotes"
        ),
        (
            "to: {a}",
            "4:9: `to` wants a text, not a mapping; put a text that begins with `{` or holds `: ` in quotes"
        ),
        ("to: [a]", "4:9: `to` wants a text, not a list"),
        ("to: a: b", "4:10: `: ` is not allowed here; put a text that holds it in quotes, or check the indentation"),
        (
            "to: \"a\\qb\"",
            "4:11: in double quotes `\\` begins an escape, and this one is not known; write `\\\\`, or use single quotes"
        ),
        (
            "to: - a",
            "4:9: `- ` begins an item of a list, which cannot stand here; begin the list on a line of its own"
        ),
        ("to: \"a", "4:9: a quote is opened here and never closed"),
        ("needs: [a, b", "5:1: a `,` or `]` is missing before this"),
        ("headers: {a: b", "5:1: a `,` or `}` is missing before this"),
        ("to: ~/x", "4:9: `~` does not stand for the home folder here; write ${env:HOME}"),
        ("to:", "4:8: `to` has no value; write a text behind it"),
    ])
    func tellsWhatToWriteInstead(line: String, fault: String) {
        #expect(JobText.faults(JobText.task(line)) == [fault])
    }

    @Test(arguments: [
        ("version: 1\n\ttasks: []\n", "2:1: a tab cannot stand here; indent with spaces"),
        ("version: 1\ntasks:\n\t- http://h/a\n", "3:1: a tab cannot stand here; indent with spaces"),
    ])
    func refusesTabs(text: String, fault: String) {
        #expect(JobText.faults(text) == [fault])
    }

    @Test func tellsOfABOMThatStandsInTheMiddle() {
        let faults = JobText.faults("version: 1\ntasks: []\n\u{FEFF}name: x\n")
        #expect(faults == ["3:2: a byte order mark (U+FEFF) stands in the middle of the file; remove it"])
    }

    @Test func showsWhereABrokenListBegins() {
        let bytes = Array("a: [1,\n 2\nb: 3\n".utf8)
        let faults = Composer.compose(bytes, lines: LineIndex(bytes), file: 0).faults
        #expect(faults.map(\.place) == [Place(line: 3, column: 2)])
        #expect(
            faults.first?.notes == [Diagnostic.Note("what is being read begins here", at: Place(line: 1, column: 4))])
    }
}
