public import RunnerJob

/// Turns a job and what lies on the disk into a plan; pure, and linear in the size of the job.
///
/// It looks at each destination once, reads no file's content and changes nothing.
public enum Planner {
    /// Where checksum lists are kept that the job names by URL, relative to the job's directory.
    public static let standardListsFolder = TargetPath(normalized: ".runner/lists")

    /// Bytes of the longest checksum list that is fetched or read.
    public static let longestList = 64 << 20

    /// Plans a job.
    ///
    /// - Parameters:
    ///   - only: Ids or destinations of the tasks that are wanted; what they need is taken along. Empty for all.
    ///   - listsFolder: Folder of the checksum lists that the job names by URL.
    ///   - rehash: Whether nothing is believed that the ledger says.
    /// - Throws: every fault of the job's graph at once, in the order of the job file.
    public static func plan(
        _ job: Job, disk: some DiskView, only: [ExactText] = [], listsFolder: TargetPath = standardListsFolder,
        rehash: Bool = false
    ) throws(PlanFaults) -> Plan {
        let layout = try layOut(job, disk: disk, only: only, listsFolder: listsFolder)
        var tasks = layout.tasks
        recallNames(&tasks, disk)
        return assemble(
            job, tasks: tasks, graph: layout.graph, selection: layout.selection,
            judge: Judge(disk: disk, rehash: rehash), warnings: layout.warnings)
    }

    /// Looks for the faults that ``plan(_:disk:only:listsFolder:rehash:)`` would throw, without judging what is to be
    /// done.
    ///
    /// - Returns: the warnings of job and graph.
    public static func check(
        _ job: Job, disk: some DiskView, only: [ExactText] = [], listsFolder: TargetPath = standardListsFolder
    ) throws(PlanFaults) -> [Diagnostic] {
        try layOut(job, disk: disk, only: only, listsFolder: listsFolder).warnings
    }

    /// The tasks of a job with those that they imply, and what lies between them.
    private struct Layout {
        var tasks: [JobTask]
        var graph: TaskGraph
        var selection: [Int]
        var warnings: [Diagnostic]
    }

    private static func layOut(
        _ job: Job, disk: some DiskView, only: [ExactText], listsFolder: TargetPath
    ) throws(PlanFaults) -> Layout {
        var findings = Findings()
        var tasks = job.tasks
        let lists = ImpliedLists(
            of: tasks, folder: listsFolder, redactor: Redactor(secrets: job.secrets), findings: &findings)
        // Adding nothing would copy them all the same.
        if !lists.tasks.isEmpty { tasks += lists.tasks }
        let destinations = DestinationIndex(tasks, directory: job.directory, findings: &findings)
        ReservedPaths.check(job, destinations: destinations, findings: &findings)
        let names = NameIndex(tasks, destinations: destinations, findings: &findings)
        let graph = TaskGraph(
            tasks, lists: lists, names: names, destinations: destinations, disk: disk, findings: &findings)
        graph.reportCycles(tasks, findings: &findings)
        let selection = names.select(only, tasks: tasks, graph: graph, findings: &findings)
        warnAboutOpenPasswords(tasks, disk: disk, findings: &findings)
        try findings.throwErrors()
        SavedJars.check(tasks, graph, findings: &findings)
        return Layout(
            tasks: tasks, graph: graph, selection: selection,
            warnings: job.warnings + Findings.sorted(findings.warnings))
    }

    /// Finds the files that earlier runs put in place under names of a server.
    private static func recallNames(_ tasks: inout [JobTask], _ disk: some DiskView) {
        var sources: [(task: Int, keys: [Int64])] = []
        for (index, task) in tasks.enumerated() {
            guard case .download(let download) = task.action, download.serverName != nil else { continue }
            sources.append((index, download.sources.map { SourceKey.of($0, download.request) }))
        }
        if sources.isEmpty { return }
        let paths = disk.paths(from: Set(sources.flatMap(\.keys)))
        for (index, keys) in sources {
            guard case .download(var download) = tasks[index].action, case .named(var name) = download.destination
            else { continue }
            name.known = keys.lazy.compactMap { paths[$0]?.last { name.mayBe($0) } }.first
            download.destination = .named(name)
            tasks[index].action = .download(download)
        }
    }

    /// Warns of netrc files that everybody may read, once for each.
    private static func warnAboutOpenPasswords(_ tasks: [JobTask], disk: some DiskView, findings: inout Findings) {
        var known: Set<ExactText> = []
        for task in tasks {
            guard case .netrc(let netrc)? = task.action.request?.auth,
                let file = netrc.file, known.insert(ExactText(file)).inserted, disk.isOpenToOthers(file)
            else { continue }
            findings.warning("others may read the passwords in '\(file)'; `chmod 600` it", at: netrc.place)
        }
    }

    /// Builds the plan of the selected tasks; their indices are ascending, and closed under needs.
    private static func assemble(
        _ job: Job, tasks: [JobTask], graph: TaskGraph, selection: [Int], judge: Judge<some DiskView>,
        warnings: [Diagnostic]
    ) -> Plan {
        var newIndex = Array(repeating: -1, count: tasks.count)
        for (new, old) in selection.enumerated() { newIndex[old] = new }
        let needs = selection.map { old in graph.needs[old].map { newIndex[$0.task] } }
        let criticalPaths = StartOrder.criticalPaths(needs: needs)
        let order = StartOrder.order(
            needs: needs, priorities: selection.map { tasks[$0].priority }, criticalPaths: criticalPaths)
        // What a task reads is judged before it; the order has it so.
        var judgements: [Judgement?] = Array(repeating: nil, count: selection.count)
        for new in order {
            let old = selection[new]
            let pending = graph.needs[old].first { need in
                need.path != nil && judgements[newIndex[need.task]]?.verdict != .upToDate
            }
            judgements[new] = judge.judgement(of: tasks[old], pending: pending?.path)
        }
        var planned: [PlannedTask] = []
        planned.reserveCapacity(selection.count)
        for (new, old) in selection.enumerated() {
            guard let judgement = judgements[new] else { continue }
            planned.append(
                PlannedTask(
                    task: tasks[old], needs: needs[new], isImplied: old >= job.tasks.count, verdict: judgement.verdict,
                    reason: judgement.reason, bytes: judgement.bytes,
                    checksumListTask: graph.checksumListTask[old].map { newIndex[$0] },
                    criticalPath: criticalPaths[new], recollection: judgement.recollection))
        }
        return Plan(job: job, tasks: planned, order: order, warnings: warnings, freeSpace: judge.disk.freeSpace())
    }
}
