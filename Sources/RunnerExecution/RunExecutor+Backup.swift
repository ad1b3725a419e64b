import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// Which files of a job are to be left out of backups (job-file reference, `backup`).
struct BackupPlan {
    /// Names by folder, each with its final slash.
    private var names: [ExactText: Set<String>] = [:]
    /// Folders in which, or below which, other files of the job are put.
    private var shared: Set<ExactText> = []
    private var warned: Set<ExactText> = []

    init(_ tasks: [PlannedTask], stateFolder: String, root: String) {
        guard tasks.contains(where: { Self.isLeftOut($0.task) }) else { return }
        for planned in tasks {
            for output in planned.task.action.work.outputs {
                if Self.isLeftOut(planned.task) {
                    names[Self.folder(of: output.path), default: []].insert(output.path.name)
                } else {
                    shared.formUnion(Self.folders(above: output.path))
                }
            }
        }
        // The state can be made anew as well, and is left out by itself.
        let top = ExactText("")
        if names[top] != nil, stateFolder == root + "/.runner" { names[top]?.insert(".runner") }
    }

    private static func isLeftOut(_ task: JobTask) -> Bool {
        if case .download(let download) = task.action { download.backup == .exclude } else { false }
    }

    /// Names in the folder of a download that are to be left out, its own among them; nil when it is not.
    ///
    /// None where the job puts other files too: a tag would be for those as well.
    func names(beside download: Download) -> Set<String>? {
        guard download.backup == .exclude else { return nil }
        let folder = Self.folder(of: download.path)
        return shared.contains(folder) ? [] : names[folder]
    }

    /// Whether this is the first file of its folder that could not be left out.
    mutating func isNew(_ path: TargetPath) -> Bool { warned.insert(Self.folder(of: path)).inserted }

    private static func folders(above path: TargetPath) -> [ExactText] {
        path.text.utf8.indices.filter { path.text.utf8[$0] == UInt8(ascii: "/") }
            .map { ExactText(String(path.text[...$0])) } + (path.isAbsolute ? [] : [ExactText("")])
    }

    private static func folder(of path: TargetPath) -> ExactText {
        ExactText(path.text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path.text[...$0]) } ?? "")
    }
}

extension RunExecutor {
    /// Tells of a file that could not be left out of backups, once for each folder.
    func lookAtBackup(_ published: PartWriter.Published, _ path: TargetPath) {
        guard published.backup == .notPossible, backups.isNew(path) else { return }
        warn(
            "\(path.text) cannot be left out of backups: its file system has no attribute for that, and its folder"
                + " holds other files too")
    }
}
