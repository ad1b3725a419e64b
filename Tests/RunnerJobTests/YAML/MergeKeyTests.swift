import Testing

@testable import RunnerJob

@Suite struct MergeKeyTests {
    /// The last item of a list of mappings, as `key=value` in order.
    private func last(_ text: String) -> (entries: [String], faults: [String]) {
        let bytes = Array(text.utf8)
        let (root, faults) = Composer.compose(bytes, lines: LineIndex(bytes), file: 0)
        var entries: [String] = []
        if case .sequence(let items)? = root?.content, case .mapping(let last)? = items.last?.content {
            entries = last.map { entry in
                if case .scalar(let scalar) = entry.value.content { "\(entry.key)=\(scalar.text)" } else { entry.key }
            }
        }
        return (entries, faults.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0): \($0.message)" })
    }

    @Test(arguments: [
        ("- {<<: *a, z: 3}", ["z=3", "x=1", "y=2"]),
        ("- {<<: *a, x: 3}", ["x=3", "y=2"]),
        ("- {x: 3, <<: *a}", ["x=3", "y=2"]),
        ("- {<<: [*b, *a]}", ["x=9", "w=8", "y=2"]),
        ("- {<<: [*a, *b]}", ["x=1", "y=2", "w=8"]),
        ("- {<<: {q: 1}}", ["q=1"]),
        ("- {'<<': text}", ["<<=text"]),
    ])
    func addsWhatTheMappingLacks(item: String, entries: [String]) {
        let result = last("- &a {x: 1, y: 2}\n- &b {x: 9, w: 8}\n" + item)
        #expect(result.entries == entries)
        #expect(result.faults.isEmpty)
    }

    @Test func carriesMergedMappingsOn() {
        #expect(last("- &a {x: 1}\n- &b {<<: *a, y: 2}\n- {<<: *b, z: 3}").entries == ["z=3", "y=2", "x=1"])
    }

    @Test(arguments: [
        (
            "- {<<: text}",
            "1:8: `<<` takes a mapping or a list of mappings, such as `<<: *name`; this is something else"
        ),
        (
            "- {<<: [{a: b}, c]}",
            "1:17: `<<` takes a mapping or a list of mappings, such as `<<: *name`; this is something else"
        ),
        ("- {<<: {a: b}, <<: {c: d}}", "1:16: the key `<<` is there twice; remove one of them"),
    ])
    func refusesWhatCannotBeMerged(item: String, fault: String) {
        #expect(last(item).faults == [fault])
    }
}
