import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// One task of a local kind: looks whether it has to be done at all, has it done, and notes what it read and made.
///
/// Runs on a worker.
struct LocalWork: Sendable {
    let task: JobTask
    /// What the ledger keeps of the last time.
    let record: ProductRecord?
    /// What is known of the bytes of what it reads.
    let contents: KnownContents
    let directory: JobDirectory
    let performer: any Performer

    func run(_ control: WorkControl) -> WorkResult {
        let work = task.action.work
        // As they are before the work begins: what changes during it is seen as changed the next time.
        let inputs = stamps(of: Freshness.compared(work).map(\.path))
        let known = Dictionary(inputs.map { ($0.path, $0.stamp) }) { first, _ in first }
        let staleness = Freshness.staleness(of: work, record, contents: contents) {
            known[$0] ?? directory.treeStamp(of: $0)
        }
        if staleness == nil { return WorkResult(.upToDate) }
        if case .inputChanged = staleness, let renewed = renewed(inputs, control) {
            var result = WorkResult(.upToDate)
            result.product = Product(key: task.productKey, record: renewed)
            return result
        }
        var result = performer.perform(control)
        // A folder that was replaced as a whole may still be open under its name, with what it held before.
        if work.mayWriteMore || work.outputs.contains(where: \.isFolder) { directory.forgetFolders() }
        if case .succeeded = result.ending, let fingerprint = work.fingerprint, Freshness.isKept(work) {
            var outputs = stamps(of: work.outputs.map(\.path))
            // The digest is of the one file that was made.
            if let digest = result.digest, outputs.count == 1 { outputs[0].digests = RecordedDigests([digest]) }
            result.product = Product(
                key: task.productKey,
                record: ProductRecord(
                    fingerprint: fingerprint, inputs: work.knowsInputsByDigest ? digested(inputs, control) : inputs,
                    outputs: outputs,
                    finished: WallClock.seconds))
        }
        return result
    }

    /// What the ledger keeps, where all that changed of what the task reads has the bytes that it had; else nil.
    private func renewed(_ inputs: [ProductRecord.Path], _ control: WorkControl) -> ProductRecord? {
        let work = task.action.work
        guard work.knowsInputsByDigest, var record else { return nil }
        // Only what has been read once can be known again.
        guard record.inputs.allSatisfy({ !$0.digests.isEmpty }) else { return nil }
        record.inputs = digested(inputs, control)
        let read = record.inputs.filter { !$0.digests.isEmpty }
            .map { ($0.path, KnownContent(stamp: $0.stamp, digests: $0.digests)) }
        let contents = Dictionary(read) { first, _ in first }
        let stamps = Dictionary(inputs.map { ($0.path, $0.stamp) }) { first, _ in first }
        let staleness = Freshness.staleness(of: work, self.record, contents: contents) {
            stamps[$0] ?? directory.treeStamp(of: $0)
        }
        return staleness == nil ? record : nil
    }

    /// The same paths with the digests of files whose bytes are not known yet, as far as they can be read and have not
    /// changed since.
    private func digested(_ inputs: [ProductRecord.Path], _ control: WorkControl) -> [ProductRecord.Path] {
        inputs.map { input in
            guard input.digests.isEmpty, let file = try? directory.openPresent(input.path),
                PathStamp(file.state) == input.stamp,
                let digests = try? FileHasher.digests(of: file, by: [.sha256], isCancelled: { control.isStopped }),
                directory.treeStamp(of: input.path) == input.stamp
            else { return input }
            return ProductRecord.Path(input.path, input.stamp, digests: RecordedDigests(Array(digests.values)))
        }
    }

    private func stamps(of paths: [TargetPath]) -> [ProductRecord.Path] {
        paths.map { path in
            let stamp = directory.treeStamp(of: path)
            let content = contents[path].flatMap { $0.stamp == stamp ? $0 : nil }
            return ProductRecord.Path(path, stamp, digests: content?.digests ?? RecordedDigests(""))
        }
    }
}
