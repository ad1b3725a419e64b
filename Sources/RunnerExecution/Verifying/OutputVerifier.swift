public import RunnerJob
public import RunnerPlan
internal import RunnerStorage

/// Compares what a job writes with all that is known of it: job, checksum lists, lock file, ledger.
///
/// It reads files and the ledger, asks no server and changes nothing.
public struct OutputVerifier: Sendable {
    private let plan: Plan
    private let lock: LockFile?
    let directory: JobDirectory
    private let lists: ChecksumLists
    private let records: RecordedFiles
    let words: FaultText

    /// - Parameters:
    ///   - lock: the job's lock file; nil when there is none.
    ///   - stateFolder: where the ledger lies; nil for `.runner` in the job's directory.
    public init(_ plan: Plan, lock: LockFile?, stateFolder: String? = nil) {
        self.plan = plan
        self.lock = lock
        directory = JobDirectory(root: plan.job.directory)
        lists = ChecksumLists(directory)
        let folder = StateFolder(path: stateFolder ?? plan.job.directory + "/.runner")
        records = LedgerReader(folder: folder, directory: directory).contents().value.files
        words = FaultText(redactor: Redactor(secrets: plan.job.secrets))
    }

    /// Checks all that the tasks of the job write, in the order of the job.
    ///
    /// - Parameter each: is given each result as soon as it is known.
    public func run(_ each: (OutputCheck) -> Void) {
        for task in plan.tasks where !task.isImplied {
            if case .download(let download) = task.task.action {
                each(check(task, download))
            } else {
                for output in task.task.action.work.outputs { each(check(task, output)) }
            }
        }
    }

    private func check(_ planned: PlannedTask, _ download: Download) -> OutputCheck {
        var check = OutputCheck(
            task: planned.task.id, path: download.path.text, place: planned.task.place,
            isOptional: planned.task.isOptional, status: .unverified)
        do throws(StorageError) {
            guard let file = try directory.openPresent(download.path) else {
                let other = directory.state(of: download.path)
                check.status = other == nil ? .missing : .differs
                check.message = other.map { "a \(Self.name($0.kind)) lies there" }
                return check
            }
            check.bytes = file.length
            var listed: [Digest] = []
            switch try self.listed(planned, download) {
            case .success(let digests): listed = digests
            case .failure(.notPinned(let pin, let actual)):
                // What it says of the file is worth nothing, and that must not pass for a file that nobody knows.
                check.status = .differs
                check.message = ChecksumListText.sentence(.notPinned(pin, actual: actual))
                return check
            case .failure: break
            }
            try compare(file, download, listed, &check)
        } catch {
            check.status = .unreadable
            check.message = words.failure(error).message
        }
        return check
    }

    private static func name(_ kind: FileState.Kind) -> String {
        switch kind {
        case .file: "file"
        case .folder: "folder"
        case .link: "link"
        case .other: "device, pipe or socket"
        }
    }

    private func compare(
        _ file: PresentFile, _ download: Download, _ listed: [Digest], _ check: inout OutputCheck
    ) throws(StorageError) {
        let entry = lock?.entry(of: download.path.path)
        let recorded = recorded(download.path)
        check.witnesses = [
            download.digests.isEmpty ? nil : .job, listed.isEmpty ? nil : .list, entry == nil ? nil : .lock,
            recorded.isEmpty ? nil : .ledger,
        ].compactMap { $0 }
        var verification = Verification(of: download, listed: listed)
        for digest in (entry.map { [$0.digest] } ?? []) + recorded where !verification.digests.contains(digest) {
            verification.digests.append(digest)
        }
        if verification.size == nil { verification.size = entry?.size }
        let actual = try FileHasher.digests(of: file, by: verification.algorithms) ?? [:]
        check.digest = verification.digests.first.flatMap { actual[$0.algorithm] }
        var failures = try verification.fault(in: file, actual: actual)?.failures ?? []
        if let size = entry?.size, size != file.length, !failures.contains(.size(expected: size, actual: file.length)) {
            failures.append(.size(expected: size, actual: file.length))
        }
        if failures.isEmpty, check.witnesses.isEmpty {
            lookAtTraces(of: file, download, &check)
        } else {
            set(failures, of: &check)
        }
    }

    /// Where nobody knows a digest, size and time tell whether it is still the file that was put in place.
    private func lookAtTraces(of file: PresentFile, _ download: Download, _ check: inout OutputCheck) {
        guard download.exists != .keep, let record = records[download.path.path],
            record.size != file.length || record.modified != file.state.modified
        else { return }
        check.witnesses = [.ledger]
        check.status = .changed
    }

    /// Takes what a comparison has found; nothing means that all holds.
    func set(_ failures: [VerificationFailure], of check: inout OutputCheck) {
        guard !failures.isEmpty else {
            check.status = .ok
            return
        }
        check.status = .differs
        check.differences = failures.compactMap(VerificationText.difference)
        check.message = words.redactor.text(failures.map(VerificationText.sentence).joined(separator: ", and "))
    }

    /// What a checksum list says that lies on the disk; nothing when it is not there.
    private func listed(
        _ planned: PlannedTask, _ download: Download
    ) throws(StorageError) -> Result<[Digest], ChecksumListError> {
        guard let list = plan.checksumList(of: planned), try directory.openPresent(list.path) != nil else {
            return .success([])
        }
        return try lists.digests(of: download, in: list)
    }

    private func recorded(_ path: TargetPath) -> [Digest] {
        guard let text = records[path.path]?.digests.text, !text.isEmpty else { return [] }
        return (try? Digest.parse(text)) ?? []
    }
}
