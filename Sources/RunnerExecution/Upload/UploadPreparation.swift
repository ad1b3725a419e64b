import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// What has to be read from the disk before an upload can start: whether it is due, and what is sent.
///
/// Runs on a worker.
struct UploadPreparation: Sendable {
    enum Outcome: Sendable {
        /// Was sent before, and nothing has changed; with what the ledger is to keep where the file is another with the
        /// same bytes.
        case upToDate(ProductRecord?)
        case send(Source)
        case failed(TaskFailure)
        case cancelled
    }

    /// The file as it is when it is about to be sent.
    struct Source: Sendable {
        var file: FileState
        var stamp: PathStamp
        var digest: Digest?
        var contentType: String
    }

    let task: JobTask
    let upload: Upload
    let record: ProductRecord?
    let contents: KnownContents
    let files: RequestFiles
    let directory: JobDirectory
    let words: FaultText
    let isCancelled: CancelFlag

    func run() -> Outcome {
        let staleness = Freshness.staleness(of: upload, record, contents: contents) { directory.treeStamp(of: $0) }
        if staleness == nil { return .upToDate(nil) }
        do throws(StorageError) {
            guard let file = try directory.openPresent(upload.path) else {
                return .failed(words.noFile(upload.path, at: directory.state(of: upload.path)?.kind))
            }
            if let fault = files.check() { return .failed(words.failure(fault, url: upload.target.url.text)) }
            let digests = try FileHasher.digests(of: file, by: [.sha256]) { isCancelled.isSet }
            guard let digests else { return .cancelled }
            if staleness == .inputChanged(upload.path), let record = renewed(file.state, digests) {
                return .upToDate(record)
            }
            let type = MediaTypes.ofThisMachine.type(
                of: upload.path.name, beginning: try file.firstBytes(MediaTypes.length))
            return .send(
                Source(
                    file: file.state, stamp: PathStamp(file.state), digest: digests[.sha256], contentType: type))
        } catch {
            return .failed(words.failure(error))
        }
    }

    /// What the ledger keeps, for a file that came anew with the bytes that were sent; nil when they are others.
    private func renewed(_ file: FileState, _ digests: [DigestAlgorithm: Digest]) -> ProductRecord? {
        guard var record, let index = record.inputs.firstIndex(where: { $0.path == upload.path }) else { return nil }
        let found = RecordedDigests(Array(digests.values))
        guard found.isSameContent(as: record.inputs[index].digests) else { return nil }
        record.inputs[index] = ProductRecord.Path(upload.path, PathStamp(file), digests: found)
        return record
    }
}
