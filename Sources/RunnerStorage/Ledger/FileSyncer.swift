internal import Glibc
internal import RunnerJob
internal import RunnerPlan
internal import Synchronization

/// Makes sure that the bytes of files are on the disk: few files one by one, many by their whole file systems.
final class FileSyncer: Sendable {
    /// A file that was put in place, as its row has it.
    struct Pending: Hashable, Sendable {
        var path: TargetPath
        var device: UInt64
        var inode: Int64
        var changed: Int64
    }

    /// Up to so many files of one file system, fdatasync(2) for each is cheaper than all that others have written too.
    static let fewFiles = 16

    private let directory: JobDirectory
    /// An open folder on each file system that files were put on.
    ///
    /// It is opened before the first row of that file system is written: syncfs(2) tells of the errors since then.
    private let points = Mutex<[UInt64: Folder?]>([:])

    init(directory: JobDirectory) {
        self.directory = directory
    }

    /// Notes the file systems of files whose rows will be written.
    func watch(_ files: [PublishedFile]) {
        points.withLock { points in
            for file in files where points[file.state.device] == nil {
                points[file.state.device] = .some(open(file.path, on: file.state.device))
            }
        }
    }

    func close() {
        points.withLock { $0 = [:] }
    }

    /// Syncs files; returns those whose bytes are on the disk now.
    func synchronize(_ files: [Pending]) -> [Pending] {
        Dictionary(grouping: files, by: \.device).flatMap { device, files in
            if files.count > Self.fewFiles, let point = point(device, files), isLocal(point) {
                do throws(SystemError) {
                    try directory.files.synchronizeFileSystem(of: point.descriptor)
                    return files
                } catch {
                    return []
                }
            }
            return files.filter(synchronize)
        }
    }

    /// Syncs the whole file system of the job's directory; whether that was done.
    func synchronizeDirectory() -> Bool {
        guard let descriptor = try? directory.open(directory.root, in: AT_FDCWD, flags: O_RDONLY | O_DIRECTORY) else {
            return false
        }
        let folder = Folder(descriptor, files: directory.files)
        return isLocal(folder) && (try? directory.files.synchronizeFileSystem(of: descriptor)) != nil
    }

    private func point(_ device: UInt64, _ files: [Pending]) -> Folder? {
        points.withLock { points in
            if let point = points[device] { return point }
            let point = files.lazy.compactMap { self.open($0.path, on: device) }.first
            points[device] = .some(point)
            return point
        }
    }

    /// Opens the folder that a file lies in, if it is on the device.
    private func open(_ path: TargetPath, on device: UInt64) -> Folder? {
        guard let nearest = try? directory.nearestFolder(of: path), nearest.isParent,
            let descriptor = try? directory.open(
                ".", in: nearest.folder.descriptor, flags: O_RDONLY | O_DIRECTORY)
        else { return nil }
        let folder = Folder(descriptor, files: directory.files)
        guard let status = try? directory.files.status(of: descriptor), status.device == device else { return nil }
        return folder
    }

    /// On a network syncfs(2) may do nothing at all.
    private func isLocal(_ point: Folder) -> Bool {
        FileSystemKind.of("/proc/self/fd/\(point.descriptor)") == .local
    }

    private func synchronize(_ file: Pending) -> Bool {
        guard let present = try? directory.openPresent(file.path) else { return false }
        // Another file has taken the place; its own row is written later.
        guard Int64(bitPattern: present.state.inode) == file.inode, present.state.changed == file.changed else {
            return false
        }
        return (try? present.synchronize()) != nil
    }
}

extension PresentFile {
    /// Makes sure that the bytes are on the disk (fdatasync(2)).
    func synchronize() throws(StorageError) {
        do throws(SystemError) {
            try files.synchronize(descriptor)
        } catch {
            throw .failed(.write, path: path.text, errno: error.code)
        }
    }
}
