import Testing

@testable import LibYAML

@Suite struct EventParserTests {
    /// The kinds and marks of all events of a text.
    private func events(_ text: String) throws(ParseError) -> [Event] {
        var parser = try EventParser(Array(text.utf8))
        var events: [Event] = []
        while true {
            let event = try parser.next()
            events.append(event)
            if event.kind == .streamEnd { return events }
        }
    }

    @Test func giveStructureAnchorsAndAliases() throws {
        let kinds = try events("a: &x [1, '2']\n? *x\n: !!str b\n").map(\.kind)
        let plain = NodeProperties()
        #expect(
            kinds == [
                .streamStart, .documentStart, .mappingStart(plain),
                .scalar(text: "a", style: .plain, properties: plain),
                .sequenceStart(NodeProperties(anchor: "x")),
                .scalar(text: "1", style: .plain, properties: plain),
                .scalar(text: "2", style: .singleQuoted, properties: plain),
                .sequenceEnd, .alias("x"),
                .scalar(text: "b", style: .plain, properties: NodeProperties(tag: "tag:yaml.org,2002:str")),
                .mappingEnd, .documentEnd, .streamEnd,
            ])
    }

    @Test(arguments: [
        ("x", ScalarStyle.plain), ("'x'", .singleQuoted), ("\"x\"", .doubleQuoted), ("|-\n x", .literal),
        (">-\n x", .folded),
    ])
    func giveTheStyleOfAScalar(text: String, style: ScalarStyle) throws {
        let scalars = try events(text).compactMap { event in
            if case .scalar(let text, let style, _) = event.kind { (text, style) } else { nil }
        }
        #expect(scalars.count == 1)
        #expect(scalars.first?.0 == "x")
        #expect(scalars.first?.1 == style)
    }

    @Test func countLinesAndScalarsFromOne() throws {
        let scalars = try events("ä: b\r\n日本: [c,\n  d]\n").filter { event in
            if case .scalar = event.kind { true } else { false }
        }
        #expect(
            scalars.map(\.mark) == [
                Mark(line: 1, column: 1), Mark(line: 1, column: 4), Mark(line: 2, column: 1),
                Mark(line: 2, column: 6), Mark(line: 3, column: 3),
            ])
    }

    @Test func keepNULAndLengthOfAScalar() throws {
        let event = try events(#""a\0b""#)[2]
        #expect(event.kind == .scalar(text: "a\0b", style: .doubleQuoted, properties: NodeProperties()))
    }

    @Test func failWithPlaceAndProblem() {
        let error = #expect(throws: ParseError.self) { try events("a: 1\nb: [1, 2\nc: 3\n") }
        #expect(error?.problem == "did not find expected ',' or ']'")
        #expect(error?.context == "while parsing a flow sequence")
        #expect(error?.mark == Mark(line: 3, column: 2))
        #expect(error?.contextMark == Mark(line: 2, column: 4))
    }

    @Test(arguments: ["", "# nothing\n", "---\n...\n"])
    func endOnTextsWithoutContent(text: String) throws {
        #expect(try events(text).last?.kind == .streamEnd)
    }

    @Test func stayAtTheEnd() throws {
        var parser = try EventParser(Array("x".utf8))
        for _ in 0..<5 { _ = try parser.next() }
        #expect(try parser.next().kind == .streamEnd)
        #expect(try parser.next().kind == .streamEnd)
    }

    /// The address sanitizer sees what is not freed here.
    @Test func canBeDroppedHalfWay() throws {
        for _ in 0..<10 {
            var parser = try EventParser(Array("a: [&x b, *x, {c: d}]".utf8))
            for _ in 0..<6 { _ = try parser.next() }
        }
    }

    @Test func readsDeepTextStepByStep() throws {
        var parser = try EventParser(Array(repeating: UInt8(ascii: "["), count: 20_000))
        for _ in 0..<200 { _ = try parser.next() }
    }
}
