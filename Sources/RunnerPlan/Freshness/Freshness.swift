public import RunnerJob

/// Compares what was done with what is asked and what lies on the disk now; pure.
public enum Freshness {
    /// Why a task has to be done again; nil when what was made still stands.
    ///
    /// - Parameters:
    ///   - record: what the ledger keeps of the last time; nil when there is nothing.
    ///   - contents: what is known of the bytes of files now.
    ///   - stamp: what a path holds now.
    public static func staleness(
        of work: any TaskWork, _ record: ProductRecord?, contents: KnownContents = [:],
        stamp: (TargetPath) -> PathStamp
    ) -> Reason? {
        // With nothing to compare there is no way to tell, as with a command that names no file.
        guard let fingerprint = work.fingerprint, isKept(work) else { return .alwaysDone }
        guard let record else { return .notDoneBefore }
        guard record.fingerprint == fingerprint else { return .askedOtherwise(since: record.finished) }
        guard record.isTrusted || record.outputs.isEmpty else { return .resultNotSynced }
        for output in work.outputs {
            let now = stamp(output.path)
            if now.isMissing { return .resultMissing(output.path) }
            if recorded(output.path, in: record.outputs)?.stamp != now { return .resultChanged(output.path) }
        }
        for input in compared(work) {
            let then = recorded(input.path, in: record.inputs)
            let now = stamp(input.path)
            if then?.stamp == now { continue }
            // A file that came anew with the bytes that it had.
            guard work.readsBytesAlone, let then, let content = contents[input.path], content.stamp == now,
                content.digests.isSameContent(as: then.digests)
            else { return .inputChanged(input.path) }
        }
        return nil
    }

    /// What a task reads that is compared from run to run.
    public static func compared(_ work: any TaskWork) -> [PathInput] {
        work.inputs.filter { $0.role != .workplace }
    }

    /// Whether there is anything to compare, so that the ledger is to keep what became of a task.
    public static func isKept(_ work: any TaskWork) -> Bool {
        work.fingerprint != nil && !(compared(work).isEmpty && work.outputs.isEmpty)
    }

    private static func recorded(_ path: TargetPath, in paths: [ProductRecord.Path]) -> ProductRecord.Path? {
        paths.first { $0.path == path }
    }
}
