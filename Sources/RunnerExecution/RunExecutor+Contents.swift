import RunnerJob
import RunnerPlan

extension RunExecutor {
    /// What is known of the bytes of files that a task reads: what this run has put in place, else what the ledger says.
    func knownContents(for planned: PlannedTask) -> KnownContents {
        var contents = planned.contents
        for input in Freshness.compared(planned.task.action.work) {
            if let fresh = freshContents[input.path] { contents[input.path] = fresh }
        }
        return contents
    }

    /// Notes the digests of a file that was put in place, for tasks that read it.
    func note(_ digests: [DigestAlgorithm: Digest], of file: FileState, at path: TargetPath) {
        guard !digests.isEmpty, readPaths.contains(path) else { return }
        freshContents[path] = KnownContent(
            stamp: PathStamp(file), digests: RecordedDigests(Array(digests.values)))
    }
}
