internal import RunnerJob
internal import RunnerPlan

/// Part files that nobody will go on with.
extension Cleaner {
    func parts(_ owned: [OwnedFile]) -> [CleanItem] {
        let states = states.all()
        var seen: Set<ExactText> = []
        var items: [CleanItem] = []
        for path in states.map({ TargetPath(normalized: $0.path) }) + strays(states, owned) {
            guard seen.insert(path.path).inserted else { continue }
            let status = (try? PartName.of(path.name, identity: job)).flatMap { name in
                directory.fullStatus(of: Self.sibling(name, of: path))
            }
            guard let reason = reason(path, status) else { continue }
            items.append(CleanItem(.part(of: path), path: path.text, bytes: status?.allocated ?? 0, reason))
        }
        return items.sorted { ExactText($0.path) < ExactText($1.path) }
    }

    private func reason(_ path: TargetPath, _ status: FileStatus?) -> CleanItem.Reason? {
        guard isWanted(path), !inPlace.contains(Self.relative(path, to: directory.root)) else { return .notWanted }
        guard let limit = rules.partsOlderThan, let status else { return nil }
        let age = age(of: status)
        return age > limit ? .tooOld(age: age, limit: limit) : nil
    }

    /// Destinations of part files of this job by their names, in the folders that it has had to do with.
    ///
    /// A transfer that was killed early has no state yet.
    private func strays(_ states: [PartState], _ owned: [OwnedFile]) -> [TargetPath] {
        guard let suffix = try? PartName.suffix(identity: job) else { return [] }
        let paths = states.map(\.path) + owned.map(\.path.text) + wanted.map(\.text) + ["x"]
        let folders = Set(paths.map { ExactText(Self.folder(of: $0)) })
        return folders.flatMap { folder -> [TargetPath] in
            guard let opened = (try? directory.openReadable(folderOf: TargetPath(normalized: folder.text + "x"))) ?? nil
            else { return [] }
            return FolderNames.of(opened.descriptor).compactMap { name in
                guard name.hasPrefix("."), name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count + 1 else {
                    return nil
                }
                return TargetPath(normalized: folder.text + name.dropFirst().dropLast(suffix.count))
            }
        }
    }

    /// The folder of a path with its final slash; empty for the job's directory.
    private static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    static func sibling(_ name: String, of path: TargetPath) -> TargetPath {
        TargetPath(normalized: folder(of: path.text) + name)
    }
}
