/// Reads one field of `defaults` or of a group, over the value that holds without it.
struct DefaultsReader {
    /// Where fields stand that hold for many tasks.
    enum Owner { case defaults, group }

    let settings: SettingsReader
    let owner: Owner

    func read(_ key: TaskKey, _ entry: Node.Entry, into values: inout TaskSettings) {
        if settings.read(key, entry.value, into: &values) { return }
        let faults = settings.fields.faults
        let shared = owner == .defaults ? "a default" : "a field of a group"
        if key == .digest, case .mapping = entry.value.content {
            var digests = DigestReader(fields: settings.fields, directory: settings.directory)
            digests.read(entry)
            values.checksumList = digests.checksumList
            values.trail?.note(key, entry.value)
        } else if key == .digest {
            faults.error("only `digest: {file: …}` can be \(shared); one digest fits one file", at: entry.value.place)
        } else {
            faults.error("`\(entry.key)` belongs to one task and cannot be \(shared)", at: entry.keyPlace)
        }
    }
}
