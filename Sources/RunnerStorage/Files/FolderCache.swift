internal import RunnerJob

/// The folders used last, open, so that many files in one folder cost no walk along its path each.
///
/// There are few, since a run must do with 64 descriptors.
struct FolderCache {
    static let capacity = 12

    private struct Entry {
        var folder: Folder
        var lastUse: UInt64
    }

    private var entries: [ExactText: Entry] = [:]
    private var uses: UInt64 = 0

    mutating func folder(at path: ExactText) -> Folder? {
        uses += 1
        guard let index = entries.index(forKey: path) else { return nil }
        entries.values[index].lastUse = uses
        return entries.values[index].folder
    }

    mutating func insert(_ folder: Folder, at path: ExactText) {
        uses += 1
        if entries[path] == nil, entries.count >= Self.capacity,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[oldest.key] = nil
        }
        entries[path] = Entry(folder: folder, lastUse: uses)
    }

    mutating func removeAll() {
        entries = [:]
    }
}
