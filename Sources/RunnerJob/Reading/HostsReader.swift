/// Reads `hosts`: what holds for requests to some origins.
struct HostsReader {
    let fields: Fields

    private enum Key: String, CaseIterable {
        case perHost = "per_host"
        case rate, requests
    }

    func hosts(_ node: Node) -> Hosts {
        guard let entries = fields.mapping(node, "hosts", example: "{\"*.example.org\": {per_host: 2}}") else {
            return Hosts()
        }
        var sections: [HostSection] = []
        var places: [HostPattern.Kind: Place] = [:]
        for entry in entries where !entry.key.hasPrefix("x-") {
            guard let pattern = pattern(entry) else { continue }
            if let first = places.updateValue(entry.keyPlace, forKey: pattern.kind) {
                fields.faults.error(
                    "`hosts` has two sections for \(shown(pattern.text))", at: entry.keyPlace,
                    notes: [Diagnostic.Note("the first is here", at: first)])
            }
            sections.append(section(pattern, entry))
        }
        return Hosts(sections)
    }

    private func pattern(_ entry: Node.Entry) -> HostPattern? {
        do throws(HostPatternFault) {
            return try HostPattern(entry.key, at: entry.keyPlace)
        } catch {
            fields.faults.error("\(shown(entry.key)) \(error)", at: entry.keyPlace)
            return nil
        }
    }

    private func section(_ pattern: HostPattern, _ entry: Node.Entry) -> HostSection {
        var section = HostSection(pattern, at: entry.keyPlace)
        guard let entries = fields.mapping(entry.value, entry.key, example: "{per_host: 2}") else { return section }
        fields.each(entries, of: "a section of `hosts`", as: Key.self) { key, entry in
            let name = key.rawValue, value = entry.value
            switch key {
            case .perHost: section.policy.perHost = fields.integer(value, name, in: 1...10_000)
            case .rate: section.policy.rate = fields.rate(value, name)
            case .requests: section.policy.interval = fields.interval(value, name)
            }
        }
        return section
    }
}
