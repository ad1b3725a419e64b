import Testing

@testable import RunnerJob

@Suite struct ComposerTests {
    /// The tree of a text in a short form: scalars, `[…]`, `{key: …}`.
    private func compose(_ text: String) -> (tree: String?, faults: [Diagnostic]) {
        let bytes = Array(text.utf8)
        let (root, faults) = Composer.compose(bytes, lines: LineIndex(bytes), file: 0)
        return (root.map(describe), faults)
    }

    private func describe(_ node: Node) -> String {
        switch node.content {
        case .scalar(let scalar): scalar.isPlain ? scalar.text : "'\(scalar.text)'"
        case .sequence(let items): "[" + items.map(describe).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key): \(describe($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    @Test(arguments: [
        ("a: 1\nb: [x, 'y', \"z\"]\n", "{a: 1, b: [x, 'y', 'z']}"),
        ("- a\n- b: c\n", "[a, {b: c}]"),
        ("a:\nb: ''\n", "{a: , b: ''}"),
        ("a: |\n  x\n  y\n", "{a: 'x\ny\n'}"),
        ("a: &x [1]\nb: *x\n", "{a: [1], b: [1]}"),
        ("&k key: 1\nother: *k\n", "{key: 1, other: key}"),
        ("a: &x 1\nb: &x 2\nc: *x\n", "{a: 1, b: 2, c: 2}"),
        ("---\na: b\n...\n", "{a: b}"),
        ("%YAML 1.2\n---\na: !!str 1\n", "{a: 1}"),
        ("a: b\r\nc: d\r\n", "{a: b, c: d}"),
    ])
    func buildsTheTree(text: String, tree: String) {
        let result = compose(text)
        #expect(result.tree == tree)
        #expect(result.faults.isEmpty)
    }

    @Test func knowsWhereEverythingStands() throws {
        let bytes = Array("a: b\nlist:\n  - {c: 'd'}\n".utf8)
        let root = try #require(Composer.compose(bytes, lines: LineIndex(bytes), file: 3).root)
        guard case .mapping(let entries) = root.content, case .sequence(let items) = entries[1].value.content,
            case .mapping(let inner) = items[0].content
        else {
            Issue.record("another tree")
            return
        }
        #expect(root.place == Place(file: 3, line: 1, column: 1))
        #expect(entries[1].keyPlace == Place(file: 3, line: 2, column: 1))
        #expect(items[0].place == Place(file: 3, line: 3, column: 5))
        #expect(inner[0].value.place == Place(file: 3, line: 3, column: 9))
    }

    @Test(arguments: [
        ("a: 1\na: 2\n", "2:1: the key `a` is there twice; remove one of them"),
        ("a: 1\n\"a\": 2\n", "2:1: the key `a` is there twice; remove one of them"),
        ("a: 1\n---\nb: 2\n", "2:1: a second document begins here; a job file holds one"),
        ("a: !!int 1\n", "1:4: the tag `tag:yaml.org,2002:int` is not allowed; only `!!str` is, and it is not needed"),
        ("? [a, b]\n: c\n", "1:3: a key must be a text, not a list or mapping"),
        ("a: &x [*x]\n", "1:8: the anchor `x` is used inside itself"),
        ("# nothing\n", "2:1: the file is empty; it begins with `version: 1`"),
    ])
    func tellsWhatIsWrong(text: String, fault: String) {
        let faults = compose(text).faults
        #expect(faults.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0): \($0.message)" } == [fault])
    }

    @Test func goesOnAfterAFaultThatLeavesTheRestReadable() {
        let result = compose("a: 1\na: 2\nb: !!int 3\nc: 4\n")
        #expect(result.tree == "{a: 1, b: 3, c: 4}")
        #expect(result.faults.count == 2)
    }

    @Test func showsBothPlacesOfADuplicateKey() {
        #expect(
            compose("a: 1\nb: 2\na: 3\n").faults.first?.notes
                == [Diagnostic.Note("the first is here", at: Place(line: 1, column: 1))])
    }

    @Test func noticesADuplicateAmongManyKeys() {
        let keys = (0..<50).map { "k\($0): x\n" }.joined()
        #expect(compose(keys).faults.isEmpty)
        #expect(compose(keys + "k7: y\n").faults.map(\.place?.line) == [51])
        #expect(compose(keys + "k49: y\n").faults.map(\.place?.line) == [51])
    }

    @Test func takesKeysThatDifferInNormalFormForTwo() {
        #expect(compose("\u{E9}: 1\ne\u{301}: 2\n").faults.isEmpty)
    }

    // MARK: Ceilings

    @Test func readsAHundredLevelsAndNoMore() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(compose(nested(100)).faults.isEmpty)
        #expect(compose(nested(101)).faults.map(\.message) == ["nested too deeply: more than 100 levels"])
        #expect(compose(nested(20_000)).faults.map(\.place) == [Place(line: 1, column: 101)])
    }

    @Test func countsLevelsThroughAliases() {
        let text = (1..<200).reduce("a0: &a0 [x]\n") { $0 + "a\($1): &a\($1) [*a\($1 - 1)]\n" }
        #expect(compose(text).faults.map(\.message) == ["nested too deeply: more than 100 levels"])
    }

    @Test func stopsAnAliasBomb() {
        let bomb = (1..<12).reduce("a0: &a0 [\(Array(repeating: "x", count: 9).joined(separator: ","))]\n") {
            text, level in
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ",")
            return text + "a\(level): &a\(level) [\(aliases)]\n"
        }
        let faults = compose(bomb).faults
        #expect(faults.count == 1)
        #expect(faults.first?.message.hasPrefix("aliases and merge keys make the file larger") == true)
    }

    @Test func stopsMergeKeysThatAddTooMuch() {
        let base = "base: &b {" + (0..<2000).map { "k\($0): x" }.joined(separator: ", ") + "}\n"
        let uses = (0..<1100).map { "u\($0): {<<: *b}\n" }.joined()
        #expect(compose(base + uses).faults.first?.message.hasPrefix("aliases and merge keys") == true)
    }

    @Test func letsHonestUseOfAliasesPass() {
        let uses = (0..<20_000).map { "- {<<: *d, id: t\($0)}\n" }.joined()
        #expect(compose("- &d {a: 1, b: 2, c: [x, y]}\n" + uses).faults.isEmpty)
    }
}
