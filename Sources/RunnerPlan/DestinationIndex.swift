internal import RunnerJob

/// Which task writes which path; finds the paths that cannot live side by side.
struct DestinationIndex {
    private var writers: [ExactText: Int] = [:]
    private let directory: String

    init(_ tasks: [JobTask], directory: String, findings: inout Findings) {
        self.directory = directory.utf8.last == UInt8(ascii: "/") ? String(directory.dropLast()) : directory
        writers.reserveCapacity(tasks.count)
        let paths = tasks.map { key(of: $0.writtenPath) }
        var matrices: Set<Place> = []
        for (index, path) in paths.enumerated() {
            guard let first = writers[path] else {
                writers[path] = index
                continue
            }
            guard tasks[index].place != tasks[first].place else {
                if !matrices.insert(tasks[index].place).inserted { continue }
                findings.error(
                    "two tasks of one matrix write '\(path)'; put all its variables into `to`", at: tasks[index].place)
                continue
            }
            findings.error(
                "two tasks write '\(path)'", at: tasks[index].place,
                notes: [Diagnostic.Note("the first of them is here", at: tasks[first].place)])
        }
        findNested(tasks, paths, &findings)
        findCaseTwins(tasks, paths, &findings)
    }

    /// Index of the task that writes a path.
    func writer(of path: TargetPath) -> Int? {
        writers[key(of: path)]
    }

    /// Index of the task that writes a path given as text in `needs` or on the command line, not yet normalised.
    func writer(ofText text: ExactText) -> Int? {
        if let writer = writers[text] { return writer }
        let parts = text.text.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        let root = text.text.utf8.first == UInt8(ascii: "/") ? "/" : ""
        return writers[relative(root + parts.map { String(Substring($0)) }.joined(separator: "/"))]
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

    /// Reports each path that lies below a path which another task writes as a file.
    ///
    /// A folder that was looked at once is not looked at again, so the whole takes linear time.
    private func findNested(_ tasks: [JobTask], _ paths: [ExactText], _ findings: inout Findings) {
        var clean: Set<ExactText> = []
        for (index, path) in paths.enumerated() {
            var folder = path.text.utf8[...]
            while let slash = folder.lastIndex(of: UInt8(ascii: "/")), slash > folder.startIndex {
                folder = folder[..<slash]
                let name = ExactText(String(Substring(folder)))
                if let writer = writers[name] {
                    findings.error(
                        "'\(path)' lies inside '\(name)', which another task writes as a file",
                        at: tasks[index].place,
                        notes: [Diagnostic.Note("'\(name)' is written here", at: tasks[writer].place)])
                    break
                }
                if !clean.insert(name).inserted { break }
            }
        }
    }

    /// Warns of paths that are one on a disk which does not tell upper from lower case, or Unicode forms, apart.
    private func findCaseTwins(_ tasks: [JobTask], _ paths: [ExactText], _ findings: inout Findings) {
        // String, not ExactText, on purpose: it takes composed and decomposed letters for the same.
        var seen: [String: Int] = [:]
        seen.reserveCapacity(paths.count)
        for (index, path) in paths.enumerated() {
            let folded = path.text.lowercased()
            guard let first = seen[folded] else {
                seen[folded] = index
                continue
            }
            guard paths[first] != path else { continue }
            findings.warning(
                "'\(path)' and '\(paths[first])' are one file where the disk ignores case", at: tasks[index].place,
                notes: [Diagnostic.Note("'\(paths[first])' is written here", at: tasks[first].place)])
        }
    }
}

extension JobTask {
    /// The path that the task writes.
    var writtenPath: TargetPath {
        switch action {
        case .download(let download): download.path
        }
    }
}
