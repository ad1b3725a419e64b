internal import Glibc
package import RunnerJob
package import RunnerPlan

extension JobDirectory {
    /// What a path holds: of a folder, everything below it counts.
    ///
    /// A folder that cannot be read has the stamp of what could be read, so that it is equal to nothing else.
    package func treeStamp(of path: TargetPath) -> PathStamp {
        guard let nearest = try? nearestFolder(of: path), nearest.isParent,
            let status = try? status(of: path, in: nearest.folder)
        else { return .missing }
        guard status.kind == .folder else { return PathStamp(status.state) }
        var tree = TreeStamp()
        tree.add(Array(path.name.utf8), in: nearest.folder.descriptor, as: [])
        return tree.stamp
    }
}

/// Puts names, sizes, times and inodes of all that lies in a folder into one number.
private struct TreeStamp {
    private var fingerprint = Fingerprint()
    private var entries = 0
    private var bytes: Int64 = 0

    /// Deeper folders count as empty; no honest tree is as deep, and descriptors are few.
    private static let deepest = 200

    /// `t`, number of entries, bytes, hash.
    var stamp: PathStamp { PathStamp("t \(entries) \(bytes) \(fingerprint.digits)") }

    /// - Parameter name: bytes, since a name need not be UTF-8.
    mutating func add(_ name: [UInt8], in folder: Int32, as path: [UInt8], depth: Int = 0) {
        guard depth < Self.deepest,
            let descriptor = try? RawName.open(name, in: folder, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        else {
            fingerprint.add("? ")
            fingerprint.add(path)
            return
        }
        defer { close(descriptor) }
        // In one order on every run, whatever the file system's.
        let names = ((try? RawName.names(in: descriptor)) ?? []).sorted { $0.lexicographicallyPrecedes($1) }
        for name in names {
            let path = path + [UInt8(ascii: "/")] + name
            guard let status = (try? RawName.status(of: name, in: descriptor)).map({ FileStatus($0) }) else { continue }
            entries += 1
            fingerprint.add(path)
            if status.kind == .folder {
                add(name, in: descriptor, as: path, depth: depth + 1)
            } else {
                bytes = bytes.addingReportingOverflow(status.state.size).partialValue
                fingerprint.add(PathStamp(status.state).text)
            }
        }
    }
}
