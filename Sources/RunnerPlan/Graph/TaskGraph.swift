internal import RunnerJob

/// Which task waits for which, and where the job file says so.
struct TaskGraph {
    /// One edge: a task that must have succeeded first.
    struct Need {
        var task: Int
        /// Where the job file says so.
        var place: Place
    }

    /// What each task waits for, ascending and without repetition.
    private(set) var needs: [[Need]]
    /// The task that writes the checksum list of each task.
    private(set) var checksumListTask: [Int?]

    /// Suggestions are searched for the first faults only: a file with thousands of wrong names shall not take minutes.
    private static let suggestionCeiling = 20

    init(
        _ tasks: [JobTask], lists: ImpliedLists, names: NameIndex, destinations: DestinationIndex,
        disk: some DiskView, findings: inout Findings
    ) {
        needs = []
        needs.reserveCapacity(tasks.count)
        checksumListTask = Array(repeating: nil, count: tasks.count)
        var suggestions = 0
        for (index, task) in tasks.enumerated() {
            var found: [Need] = []
            for reference in task.needs {
                if let need = names[reference.name] {
                    found.append(Need(task: need, place: reference.place))
                } else {
                    suggestions += 1
                    let near = suggestions <= Self.suggestionCeiling ? names.suggestion(for: reference.name) : nil
                    Self.reportUnknown(reference, near: near.map { tasks[$0] }, &findings)
                }
            }
            if let list = Self.list(of: task, lists, destinations, disk, &findings) {
                checksumListTask[index] = list.task
                found.append(list)
            }
            if let body = Self.body(of: task, destinations, disk, &findings) { found.append(body) }
            needs.append(Self.tidied(found, of: index, task, &findings))
        }
    }

    private static func reportUnknown(_ reference: Reference, near: JobTask?, _ findings: inout Findings) {
        findings.error(
            "no task has the id or destination '\(reference.name)'" + (near.map { "; did you mean '\($0.id)'?" } ?? ""),
            at: reference.place, notes: near.map { [Diagnostic.Note("'\($0.id)' is here", at: $0.place)] } ?? [])
    }

    /// The task that writes the checksum list of a task; nil when it has none, or when the list is on the disk.
    private static func list(
        of task: JobTask, _ lists: ImpliedLists, _ destinations: DestinationIndex, _ disk: some DiskView,
        _ findings: inout Findings
    ) -> Need? {
        guard case .download(let download) = task.action, let list = download.checksumList else { return nil }
        switch list.source {
        case .url(let url):
            return lists.index(of: url).map { Need(task: $0, place: list.place) }
        case .path(let path):
            if let writer = destinations.writer(of: path) { return Need(task: writer, place: list.place) }
            switch disk.state(of: path)?.kind {
            case .file, .link:
                break
            case .folder, .other:
                findings.error("the checksum list '\(path)' is not a file", at: list.place)
            case nil:
                findings.error(
                    "no task writes the checksum list '\(path)', and it is not on the disk; "
                        + "add a task with `to: \(path)`, or name the list by its URL", at: list.place)
            }
            return nil
        }
    }

    /// The task that writes the file that a task sends; nil when it sends none, or one that is on the disk.
    private static func body(
        of task: JobTask, _ destinations: DestinationIndex, _ disk: some DiskView, _ findings: inout Findings
    ) -> Need? {
        guard case .download(let download) = task.action, case .file(let path, let place) = download.request.body else {
            return nil
        }
        if let writer = destinations.writer(of: path) { return Need(task: writer, place: place) }
        switch disk.state(of: path)?.kind {
        case .file, .link:
            break
        case .folder, .other:
            findings.error("the body '\(path)' is not a file", at: place)
        case nil:
            findings.error("no task writes the body '\(path)', and it is not on the disk", at: place)
        }
        return nil
    }

    /// Sorts, drops repetitions, and reports a task that waits for itself.
    private static func tidied(
        _ found: [Need], of index: Int, _ task: JobTask, _ findings: inout Findings
    ) -> [Need] {
        guard !found.isEmpty else { return [] }
        var tidy: [Need] = []
        var seen: Set<Int> = []
        for need in found {
            if need.task == index {
                findings.error(
                    "task '\(task.id)' needs itself", at: need.place,
                    notes: [Diagnostic.Note("the task is here", at: task.place)])
            } else if seen.insert(need.task).inserted {
                tidy.append(need)
            }
        }
        return tidy.sorted { $0.task < $1.task }
    }
}
