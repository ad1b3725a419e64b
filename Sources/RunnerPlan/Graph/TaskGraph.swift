internal import RunnerJob

/// Which task waits for which, and where the job file says so.
struct TaskGraph {
    /// One edge: a task that must have succeeded first.
    struct Need {
        var task: Int
        /// Where the job file says so.
        var place: Place
        /// The path that is read; nil where only `needs` says so.
        var path: TargetPath?
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
        var unmade: [(task: Int, input: PathInput)] = []
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
            if let list = Self.impliedList(of: task, lists) {
                checksumListTask[index] = list.task
                found.append(list)
            }
            for input in task.inputs {
                let writers = Self.writers(of: input, destinations)
                if writers.isEmpty { unmade.append((index, input)) }
                if input.role == .checksumList { checksumListTask[index] = writers.first }
                found += writers.map { Need(task: $0, place: input.place, path: input.path) }
            }
            needs.append(Self.tidied(found, of: index, task, &findings))
        }
        for (index, input) in unmade { checkPresence(of: input, readBy: index, tasks, disk, &findings) }
    }

    private static func reportUnknown(_ reference: Reference, near: JobTask?, _ findings: inout Findings) {
        findings.error(
            "no task has the id or destination '\(reference.name)'" + (near.map { "; did you mean '\($0.id)'?" } ?? ""),
            at: reference.place, notes: near.map { [Diagnostic.Note("'\($0.id)' is here", at: $0.place)] } ?? [])
    }

    /// The task that fetches the checksum list of a task, where that is named by its URL.
    private static func impliedList(of task: JobTask, _ lists: ImpliedLists) -> Need? {
        guard case .download(let download) = task.action, let list = download.checksumList,
            case .url(let url) = list.source
        else { return nil }
        return lists.index(of: url).map { Need(task: $0, place: list.place) }
    }

    /// The tasks that write what a task reads: the path, the folder that it lies in, or what lies in it.
    private static func writers(of input: PathInput, _ destinations: DestinationIndex) -> [Int] {
        if let writer = destinations.writer(of: input.path) { return [writer] }
        return input.shape == .file ? [] : destinations.writers(in: input.path)
    }

    /// Reports what no task writes and what is not on the disk either, or is something else there.
    private func checkPresence(
        of input: PathInput, readBy index: Int, _ tasks: [JobTask], _ disk: some DiskView, _ findings: inout Findings
    ) {
        let name = input.role.words.map { "\($0) '\(input.path)'" } ?? "'\(input.path)'"
        let the = input.role.words == nil ? name : "the \(name)"
        switch (disk.state(of: input.path)?.kind, input.shape) {
        case (.link, _), (.file, .file), (.folder, .folder), (.file, .any), (.folder, .any): break
        case (nil, _):
            // A command may make what it does not name; and whether a file is there is what a check is for.
            guard input.role != .subject, !waitsForCommand(index, tasks) else { return }
            let advice =
                switch input.role {
                case .checksumList: "; add a task with `to: \(input.path)`, or name the list by its URL"
                case .source where tasks[index].kind == .archive && input.path.text.contains("*"):
                    "; name the folder, and write the pattern into `include`"
                case .source where tasks[index].kind == .upload && input.path.text.contains("*"):
                    "; an upload sends one file: name the files in a `matrix`"
                default: ""
                }
            findings.error("no task writes \(the), and it is not on the disk\(advice)", at: input.place)
        case (_, .folder): findings.error("\(the) is not a folder", at: input.place)
        case (_, .any): findings.error("\(the) is neither a file nor a folder", at: input.place)
        case (_, .file): findings.error("\(the) is not a file", at: input.place)
        }
    }

    /// Whether a task waits, directly or through others, for one that may write what it does not name.
    private func waitsForCommand(_ task: Int, _ tasks: [JobTask]) -> Bool {
        var pending = needs[task].map(\.task)
        var seen = Set(pending)
        while let next = pending.popLast() {
            if tasks[next].action.work.mayWriteMore { return true }
            for need in needs[next] where seen.insert(need.task).inserted { pending.append(need.task) }
        }
        return false
    }

    /// Sorts, drops repetitions, and reports a task that waits for itself.
    private static func tidied(
        _ found: [Need], of index: Int, _ task: JobTask, _ findings: inout Findings
    ) -> [Need] {
        guard !found.isEmpty else { return [] }
        var tidy: [Need] = []
        var positions: [Int: Int] = [:]
        for need in found {
            if need.task == index {
                let why = need.path.map { ": it reads '\($0)' and writes there" } ?? ""
                findings.error(
                    "task '\(task.id)' needs itself\(why)", at: need.place,
                    notes: [Diagnostic.Note("the task is here", at: task.place)])
            } else if let position = positions[need.task] {
                if tidy[position].path == nil { tidy[position].path = need.path }
            } else {
                positions[need.task] = tidy.count
                tidy.append(need)
            }
        }
        return tidy.sorted { $0.task < $1.task }
    }
}

extension JobTask {
    /// The paths that the task reads.
    fileprivate var inputs: [PathInput] {
        if case .download(let download) = action { return download.inputs }
        return action.work.inputs
    }
}

extension PathInput.Role {
    /// What the path is called in a fault; nil where the path says enough.
    fileprivate var words: String? {
        switch self {
        case .checksumList: "checksum list"
        case .body: "body"
        case .workplace: "working folder"
        case .subject, .source: nil
        }
    }
}
