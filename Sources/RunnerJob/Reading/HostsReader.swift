/// Reads `hosts`: what holds for requests to some origins.
struct HostsReader {
    let fields: Fields
    let settings: SettingsReader

    private enum Key: String, CaseIterable {
        case perHost = "per_host"
        case rate, requests
    }

    func sections(_ node: Node) -> [HostSection] {
        guard let entries = fields.mapping(node, "hosts", example: "{\"*.example.org\": {per_host: 2}}") else {
            return []
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
        return sections
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
        var given = TaskSettings()
        given.trail = fields.explained == nil ? nil : Trail()
        for entry in entries where !entry.key.hasPrefix("x-") {
            if let key = Key(rawValue: entry.key) {
                read(key, entry.value, into: &section.policy)
            } else if let key = TaskKey(rawValue: entry.key), TaskKey.ofHosts.contains(key) {
                _ = settings.read(key, entry.value, into: &given)
            } else {
                fields.unknown(
                    entry, of: "a section of `hosts`",
                    known: Key.allCases.map(\.rawValue) + TaskKey.ofHosts.map(\.rawValue))
            }
        }
        section.request = given.request
        section.overlay = given.overlay
        section.trail = given.trail
        return section
    }

    private func read(_ key: Key, _ node: Node, into policy: inout HostPolicy) {
        let name = key.rawValue
        switch key {
        case .perHost: policy.perHost = fields.integer(node, name, in: 1...10_000)
        case .rate: policy.rate = fields.rate(node, name)
        case .requests: policy.interval = fields.interval(node, name)
        }
    }
}
