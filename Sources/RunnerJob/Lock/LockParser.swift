/// Reads lock files.
public enum LockParser {
    /// Reads a lock file, version 1; its texts stand for themselves, without variables.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: its path as the user knows it.
    /// - Throws: ``JobFaults`` with every fault of the file.
    public static func parse(_ bytes: [UInt8], name: String) throws(JobFaults) -> LockFile {
        let sources = SourceRegister()
        let faults = Faults()
        let root = sources.compose(name, bytes, faults: faults)
        let input = JobInput(file: name, bytes: bytes, folder: "/", clock: .utc(now: 0))
        let fields = Fields(faults: faults, variables: Variables(input: input, sources: sources, faults: faults))
        let entries = root.map { LockReader(fields: fields).entries($0) } ?? []
        guard faults.errors.isEmpty else {
            throw JobFaults(diagnostics: Faults.sorted(faults.errors), sources: sources.map)
        }
        var lock = LockFile(entries)
        lock.sources = sources.map
        return lock
    }
}

/// Reads the tree of a lock file.
private struct LockReader {
    let fields: Fields

    private enum TopKey: String, CaseIterable { case version, downloads }

    private enum Key: String, CaseIterable {
        case to, sha256, size, url
        case finalURL = "final_url"
        case etag
        case lastModified = "last_modified"
        case date
    }

    func entries(_ root: Node) -> [LockFile.Entry] {
        guard case .mapping(let top) = root.content else {
            fields.faults.error("a lock file is a mapping that begins with `version: 1`", at: root.place)
            return []
        }
        guard let version = top.first(where: { $0.key == TopKey.version.rawValue }),
            fields.scalar(version.value, "version", wanted: "1")?.text == "1"
        else {
            fields.faults.error("this program reads lock files of version 1; write the file anew", at: root.place)
            return []
        }
        if !top.contains(where: { $0.key == TopKey.downloads.rawValue }) {
            fields.faults.error("`downloads` is missing: the lock file is cut short; write it anew", at: root.place)
        }
        var entries: [LockFile.Entry] = []
        var paths: [ExactText: Place] = [:]
        fields.each(top, of: "the lock file", as: TopKey.self) { key, entry in
            guard key == .downloads else { return }
            guard case .sequence(let items) = entry.value.content else {
                fields.faults.error("`downloads` wants a list", at: entry.value.place)
                return
            }
            for item in items {
                guard let entry = self.entry(item) else { continue }
                if let first = paths[entry.path] {
                    fields.faults.error(
                        "\(shown(entry.path.text)) is locked twice", at: entry.place,
                        notes: [Diagnostic.Note("the other entry is here", at: first)])
                }
                paths[entry.path] = entry.place
                entries.append(entry)
            }
        }
        return entries
    }

    private func entry(_ node: Node) -> LockFile.Entry? {
        guard case .mapping(let entries) = node.content else {
            fields.faults.error("an entry of `downloads` is a mapping that begins with `to:`", at: node.place)
            return nil
        }
        var texts: [Key: (text: String, place: Place)] = [:]
        fields.each(entries, of: "an entry", as: Key.self) { key, entry in
            guard let scalar = fields.scalar(entry.value, key.rawValue, wanted: "a text") else { return }
            texts[key] = (scalar.text, entry.value.place)
        }
        for key in [Key.to, .sha256, .size, .url, .date] where texts[key] == nil {
            fields.faults.error("`\(key.rawValue)` is missing in an entry", at: node.place)
        }
        guard let path = texts[.to], let url = texts[.url], let date = texts[.date],
            let digest = texts[.sha256].flatMap({ digest($0.text, at: $0.place) }),
            let size = texts[.size].flatMap({ size($0.text, at: $0.place) })
        else { return nil }
        return LockFile.Entry(
            path: ExactText(path.text), digest: digest, size: size, url: url.text,
            finalURL: texts[.finalURL]?.text, etag: texts[.etag]?.text, lastModified: texts[.lastModified]?.text,
            date: date.text, place: node.place)
    }

    private func digest(_ text: String, at place: Place) -> Digest? {
        do throws(DigestFault) {
            return try Digest.parse(text, algorithm: .sha256).first
        } catch {
            fields.faults.error(error.description, at: place)
            return nil
        }
    }

    private func size(_ text: String, at place: Place) -> Int64? {
        if let size = Int64(text), size >= 0, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return size }
        fields.faults.error("`size` wants a whole number of bytes, not \(shown(text))", at: place)
        return nil
    }
}
