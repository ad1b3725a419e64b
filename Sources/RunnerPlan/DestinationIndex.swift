internal import RunnerJob

/// Which task writes which path; finds the paths that cannot live side by side.
struct DestinationIndex {
    /// One path that a task writes.
    private struct Written {
        var path: ExactText
        var task: Int
        var isFolder: Bool
    }

    private var writers: [ExactText: Written] = [:]
    /// All that is written, in the order of the bytes of the paths; empty until a task reads what may be a folder.
    private var sorted: [Written] = []
    private let directory: String

    init(_ tasks: [JobTask], directory: String, findings: inout Findings) {
        self.directory = directory.utf8.last == UInt8(ascii: "/") ? String(directory.dropLast()) : directory
        writers.reserveCapacity(tasks.count)
        var all: [Written] = []
        all.reserveCapacity(tasks.count)
        var readsFolders = false
        for (index, task) in tasks.enumerated() {
            for output in task.outputs {
                all.append(Written(path: key(of: output.path), task: index, isFolder: output.isFolder))
            }
            if case .download = task.action { continue }
            readsFolders = readsFolders || task.action.work.inputs.contains { $0.shape != .file }
        }
        var matrices: Set<Place> = []
        for written in all {
            guard let first = writers[written.path] else {
                writers[written.path] = written
                continue
            }
            guard first.task != written.task else { continue }
            guard tasks[written.task].place != tasks[first.task].place else {
                if !matrices.insert(tasks[written.task].place).inserted { continue }
                findings.error(
                    "two tasks of one item write '\(written.path)'; put all variables of its matrix into `to`, or, where"
                        + " an alias repeats the item, write it anew with another `to`",
                    at: tasks[written.task].place)
                continue
            }
            findings.error(
                "two tasks write '\(written.path)'", at: tasks[written.task].place,
                notes: [Diagnostic.Note("the first of them is here", at: tasks[first.task].place)])
        }
        findNested(tasks, all, &findings)
        findCaseTwins(tasks, all, &findings)
        if readsFolders { sorted = all.sorted { $0.path < $1.path } }
    }

    /// Index of the task that writes a path, or the folder that it lies in.
    func writer(of path: TargetPath) -> Int? {
        let key = key(of: path)
        if let writer = writers[key] { return writer.task }
        return Self.parents(of: key).lazy.compactMap { writers[$0] }.first { $0.isFolder }?.task
    }

    /// Indices of the tasks that write something in a folder, ascending.
    func writers(in folder: TargetPath) -> [Int] {
        let prefix = Array((key(of: folder).text + "/").utf8)
        // The first one that is not before the prefix (a binary search: the paths are sorted).
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].path.text.utf8.lexicographicallyPrecedes(prefix) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let inside = sorted[low...].prefix { $0.path.text.utf8.starts(with: prefix) }
        return Set(inside.map(\.task)).sorted()
    }

    /// Index of the task that writes a path given as text in `needs` or on the command line, not yet normalised.
    func writer(ofText text: ExactText) -> Int? {
        if let writer = writers[text] { return writer.task }
        let parts = text.text.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        let root = text.text.utf8.first == UInt8(ascii: "/") ? "/" : ""
        return writers[relative(root + parts.map { String(Substring($0)) }.joined(separator: "/"))]?.task
    }

    /// The path in the form in which paths are compared: relative where it lies in the job's directory.
    private func key(of path: TargetPath) -> ExactText {
        path.isAbsolute ? relative(path.text) : path.path
    }

    private func relative(_ path: String) -> ExactText {
        guard path.utf8.starts(with: directory.utf8), !directory.isEmpty else { return ExactText(path) }
        let rest = path.utf8.dropFirst(directory.utf8.count)
        guard rest.first == UInt8(ascii: "/"), rest.count > 1 else { return ExactText(path) }
        return ExactText(String(Substring(rest.dropFirst())))
    }

    /// The folders that a path lies in, the nearest first.
    private static func parents(of path: ExactText) -> [ExactText] {
        var parents: [ExactText] = []
        var folder = path.text.utf8[...]
        while let slash = folder.lastIndex(of: UInt8(ascii: "/")), slash > folder.startIndex {
            folder = folder[..<slash]
            parents.append(ExactText(String(Substring(folder))))
        }
        return parents
    }

    /// Reports each path that lies below a path which another task writes.
    ///
    /// A folder that was looked at once is not looked at again, so the whole takes linear time.
    private func findNested(_ tasks: [JobTask], _ all: [Written], _ findings: inout Findings) {
        var clean: Set<ExactText> = []
        for written in all {
            var folder = written.path.text
            while let slash = folder.lastIndex(ofASCII: UInt8(ascii: "/")), slash > folder.startIndex {
                folder = String(folder[..<slash])
                let name = ExactText(folder)
                if let writer = writers[name] {
                    if writer.task == written.task, writer.isFolder { break }
                    let how = writer.isFolder ? "as a whole" : "as a file"
                    findings.error(
                        "'\(written.path)' lies inside '\(name)', which another task writes \(how)",
                        at: tasks[written.task].place,
                        notes: [Diagnostic.Note("'\(name)' is written here", at: tasks[writer.task].place)])
                    break
                }
                if !clean.insert(name).inserted { break }
            }
        }
    }

    /// Warns of paths that are one on a disk which does not tell upper from lower case, or Unicode forms, apart.
    private func findCaseTwins(_ tasks: [JobTask], _ all: [Written], _ findings: inout Findings) {
        // String, not ExactText, on purpose: it takes composed and decomposed letters for the same.
        var seen: [String: Written] = [:]
        seen.reserveCapacity(all.count)
        for written in all {
            let folded = written.path.text.lowercased()
            guard let first = seen[folded] else {
                seen[folded] = written
                continue
            }
            guard first.path != written.path else { continue }
            findings.warning(
                "'\(written.path)' and '\(first.path)' are one file where the disk ignores case",
                at: tasks[written.task].place,
                notes: [Diagnostic.Note("'\(first.path)' is written here", at: tasks[first.task].place)])
        }
    }
}

extension JobTask {
    /// The paths that the task writes.
    var outputs: [PathOutput] {
        // Most tasks of large jobs are downloads, which need no detour.
        if case .download(let download) = action { return [PathOutput(download.partPath)] }
        return action.work.outputs
    }
}
