import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer
import Synchronization

/// What has to be read from the disk before a download can start: its checksum list, and the file that is there.
///
/// Runs on a worker.
struct Preparation: Sendable {
    enum Outcome: Sendable {
        /// Nothing to do: the file is what it should be, as was found out by reading it; with what the ledger has of it,
        /// where it is still the file that was put in place.
        case upToDate(FileState, [DigestAlgorithm: Digest], PublishedRecord?)
        /// Nothing to do: the ledger has the file with these digests.
        case recorded(FileState, [Digest])
        /// To be fetched; with the digests that the list gave.
        case fetch([Digest])
        case failed(Problem)
        case cancelled
    }

    /// Why a download cannot start.
    enum Problem: Hashable, Sendable {
        case list(path: String, ChecksumListError)
        case storage(StorageError)
        /// A file that the request reads is not there.
        case request(Fault)
    }

    let download: Download
    let files: RequestFiles
    /// The checksum list; nil when the job names none.
    let list: ChecksumListFile?
    /// Whether the file that is there may be what is wanted.
    let comparesExisting: Bool
    /// What the ledger has of that file; nil where it is not believed.
    let record: PublishedRecord?
    let directory: JobDirectory
    let lists: ChecksumLists
    /// Set to stop reading.
    let isCancelled: CancelFlag

    func run() -> Outcome {
        do throws(StorageError) {
            var listed: [Digest] = []
            if let list {
                switch try lists.digests(of: download, in: list) {
                case .success(let digests): listed = digests
                case .failure(let error): return .failed(.list(path: list.path.text, error))
                }
                // No bytes can satisfy both, so that none need to be fetched.
                if let error = contradiction(listed) { return .failed(.list(path: list.path.text, error)) }
            }
            if comparesExisting, let outcome = try compare(Verification(of: download, listed: listed)) {
                return outcome
            }
            if let fault = files.check() { return .failed(.request(fault)) }
            return .fetch(listed)
        } catch {
            return .failed(.storage(error))
        }
    }

    private func contradiction(_ listed: [Digest]) -> ChecksumListError? {
        for digest in listed {
            guard let own = download.digests.first(where: { $0.algorithm == digest.algorithm }), own != digest else {
                continue
            }
            return .notWanted(name: download.path.text, listed: digest, wanted: own)
        }
        return nil
    }

    /// The outcome when the file that is there settles it; nil when it has to be fetched.
    private func compare(_ verification: Verification) throws(StorageError) -> Outcome? {
        guard !verification.digests.isEmpty, let file = try directory.openPresent(download.path) else { return nil }
        if let size = verification.size, size != file.length { return nil }
        if let record, record.proves(verification.digests, of: file.state) {
            guard let mode = download.mode, mode != file.state.mode else {
                return .recorded(file.state, verification.digests)
            }
            let known = Dictionary(verification.digests.map { ($0.algorithm, $0) }) { first, _ in first }
            return .upToDate(try file.setMode(mode), known, record)
        }
        let digests = try FileHasher.digests(of: file, by: verification.algorithms) { isCancelled.isSet }
        guard let digests else { return .cancelled }
        guard try verification.fault(in: file, actual: digests) == nil else { return nil }
        let isThatFile = record.map { record in
            record.fits(file.state) || digests.values.contains { record.digests.agrees(with: $0) == true }
        }
        let origin = isThatFile == true ? record : nil
        guard let mode = download.mode, mode != file.state.mode else { return .upToDate(file.state, digests, origin) }
        return .upToDate(try file.setMode(mode), digests, origin)
    }
}

/// A wish to stop that any thread may look at.
final class CancelFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() {
        flag.store(true, ordering: .relaxed)
    }
}
