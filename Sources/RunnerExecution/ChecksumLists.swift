import RunnerJob
import RunnerPlan
import RunnerStorage
import Synchronization

/// The checksum lists of a run, each read once however many files it is for.
final class ChecksumLists: Sendable {
    private struct Key: Hashable {
        var path: ExactText
        var pins: [Digest]
    }

    private struct Reading {
        /// The file that was read; another one is read anew.
        var state: FileState
        var list: Result<ChecksumList, ChecksumListError>
    }

    private let directory: JobDirectory
    private let readings = Mutex<[Key: Reading]>([:])

    init(_ directory: JobDirectory) {
        self.directory = directory
    }

    /// The digests that a list on the disk gives for a download.
    func digests(
        of download: Download, in list: ChecksumListFile
    ) throws(StorageError) -> Result<[Digest], ChecksumListError> {
        try digests(of: download.path, from: download.sources.first?.filePath, in: list)
    }

    /// The digests that a list on the disk gives for a path.
    ///
    /// - Parameter source: the path of the URL that the file came from.
    func digests(
        of path: TargetPath, from source: String? = nil, in list: ChecksumListFile
    ) throws(StorageError) -> Result<[Digest], ChecksumListError> {
        guard let file = try directory.openPresent(list.path) else { throw .sourceMissing(path: list.path.text) }
        switch try reading(file, list) {
        case .failure(let error): return .failure(error)
        case .success(let list):
            do throws(ChecksumListError) {
                return .success(try list.digests(for: path, from: source))
            } catch {
                return .failure(error)
            }
        }
    }

    private func reading(
        _ file: PresentFile, _ list: ChecksumListFile
    ) throws(StorageError) -> Result<ChecksumList, ChecksumListError> {
        let key = Key(path: list.path.path, pins: list.digests)
        return try readings.withLock { (readings) throws(StorageError) in
            if let known = readings[key], known.state == file.state { return known.list }
            // One byte more than the longest list, so that a longer one is seen to be too long.
            let bytes = try file.firstBytes(Int(min(file.length, Int64(ChecksumList.longest) + 1)))
            let result: Result<ChecksumList, ChecksumListError>
            do throws(ChecksumListError) {
                result = .success(try ChecksumList(bytes, name: list.path.name, pins: list.digests))
            } catch {
                result = .failure(error)
            }
            readings[key] = Reading(state: file.state, list: result)
            return result
        }
    }
}
