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
        /// Nothing to do: the file is what it should be.
        case upToDate(FileState, [DigestAlgorithm: Digest])
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
    /// Path of the checksum list; nil when the job names none.
    let list: TargetPath?
    /// Whether the file that is there may be what is wanted.
    let comparesExisting: Bool
    let directory: JobDirectory
    /// Set to stop reading.
    let isCancelled: CancelFlag

    func run() -> Outcome {
        do throws(StorageError) {
            var listed: [Digest] = []
            if let list {
                let bytes = try directory.checksumList(at: list)
                do throws(ChecksumListError) {
                    listed = try ChecksumList(bytes, name: list.name).digests(for: download.path)
                } catch {
                    return .failed(.list(path: list.text, error))
                }
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

    /// The outcome when the file that is there settles it; nil when it has to be fetched.
    private func compare(_ verification: Verification) throws(StorageError) -> Outcome? {
        guard !verification.digests.isEmpty, let file = try directory.openPresent(download.path) else { return nil }
        if let size = verification.size, size != file.length { return nil }
        let digests = try FileHasher.digests(of: file, by: verification.algorithms) { isCancelled.isSet }
        guard let digests else { return .cancelled }
        return try verification.fault(in: file, actual: digests) == nil ? .upToDate(file.state, digests) : nil
    }
}

extension JobDirectory {
    /// The bytes of a checksum list.
    func checksumList(at path: TargetPath) throws(StorageError) -> [UInt8] {
        guard let file = try openPresent(path) else { throw .sourceMissing(path: path.text) }
        // One byte more than the longest list, so that a longer one is seen to be too long.
        return try file.firstBytes(Int(min(file.length, Int64(ChecksumList.longest) + 1)))
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
