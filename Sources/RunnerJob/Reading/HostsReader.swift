/// Reads `hosts`: what holds for requests to some origins.
struct HostsReader {
    let fields: Fields
    let settings: SettingsReader

    private enum Key: String, CaseIterable {
        case perHost = "per_host"
        case rate, requests, rewrite, allow, block
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
                read(key, entry, into: &section)
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

    private func read(_ key: Key, _ entry: Node.Entry, into section: inout HostSection) {
        let name = key.rawValue, node = entry.value
        switch key {
        case .perHost: section.policy.perHost = fields.integer(node, name, in: 1...10_000)
        case .rate: section.policy.rate = fields.rate(node, name)
        case .requests: section.policy.interval = fields.interval(node, name)
        case .rewrite: section.rewrites = rewrites(node)
        case .allow, .block: readAccess(key, entry, into: &section)
        }
    }

    private func readAccess(_ key: Key, _ entry: Node.Entry, into section: inout HostSection) {
        guard let value = fields.boolean(entry.value, key.rawValue) else { return }
        let access = HostAccess(
            isAllowed: value == (key == .allow), section: section.pattern.text, place: entry.keyPlace)
        if let other = section.access, other.isAllowed != access.isAllowed {
            fields.faults.error("`allow` and `block` say opposite things of one section", at: entry.keyPlace)
        }
        section.access = access
    }

    // MARK: Other places

    /// A URL for all paths, or one for each of some beginnings of a path.
    private func rewrites(_ node: Node) -> [HostRewrite] {
        guard case .mapping = node.content else {
            return target(node).map { [HostRewrite(prefix: "/", target: $0)] } ?? []
        }
        guard let entries = fields.mapping(node, "rewrite", example: Self.example) else { return [] }
        return entries.compactMap { entry in
            guard entry.key.hasPrefix("/"), entry.key.hasSuffix("/") else {
                fields.faults.error(
                    "\(shown(entry.key)) in `rewrite` is the beginning of a path: it begins and ends with /",
                    at: entry.keyPlace)
                return nil
            }
            return target(entry.value).map { HostRewrite(prefix: entry.key, target: $0) }
        }
    }

    private static let example = "{/debian/: \"https://mirror.example.org/debian/\"}"

    private func target(_ node: Node) -> SourceURL? {
        guard let url = fields.url(node, "rewrite") else { return nil }
        guard url.credentials == nil else {
            fields.faults.error(
                "a URL of `rewrite` holds a user; write it as `auth` in the section of that host", at: node.place)
            return nil
        }
        guard url.url.text.hasSuffix("/"), !url.url.text.contains("?") else {
            fields.faults.error("a URL of `rewrite` ends with /, as what follows is added to it", at: node.place)
            return nil
        }
        return url
    }
}
