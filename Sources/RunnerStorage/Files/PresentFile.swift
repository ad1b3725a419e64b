internal import Glibc
package import RunnerJob
package import RunnerPlan

/// A file that lies at its destination, open for reading.
package final class PresentFile: ReadableFile {
    package let path: TargetPath
    /// As it was when the file was opened.
    package let state: FileState
    let descriptor: Int32
    let files: any FileOperations

    init(path: TargetPath, state: FileState, descriptor: Int32, files: any FileOperations) {
        self.path = path
        self.state = state
        self.descriptor = descriptor
        self.files = files
    }

    deinit {
        try? files.close(descriptor)
    }

    package var length: Int64 { state.size }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        do {
            return try files.readFully(into: buffer, from: descriptor, at: offset)
        } catch {
            throw .failed(.read, path: path.text, errno: error.code)
        }
    }

    /// Gives the file permission bits.
    ///
    /// - Returns: the file as it is then.
    package func setMode(_ mode: UInt16) throws(StorageError) -> FileState {
        do {
            try files.setMode(mode, of: descriptor)
            return try files.status(of: descriptor).state
        } catch {
            throw .failed(.setMode, path: path.text, errno: error.code)
        }
    }
}

extension JobDirectory {
    /// Opens the regular file at `path` to read it.
    ///
    /// - Returns: nil when there is none; a link at `path` is none, since it would be replaced and not followed.
    /// - Throws: when it cannot be read, or the way there is barred.
    package func openPresent(_ path: TargetPath) throws(StorageError) -> PresentFile? {
        let nearest = try nearestFolder(of: path)
        guard nearest.isParent else { return nil }
        let descriptor: Int32
        do {
            // O_NONBLOCK: opening a pipe must not wait for a writer.
            descriptor = try open(path.name, in: nearest.folder.descriptor, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            switch error.code {
            case ENOENT, ELOOP, ENXIO: return nil
            default: throw .failed(.open, path: path.text, errno: error.code)
            }
        }
        do {
            let state = try files.status(of: descriptor).state
            if state.kind == .file {
                return PresentFile(path: path, state: state, descriptor: descriptor, files: files)
            }
            try? files.close(descriptor)
            return nil
        } catch {
            try? files.close(descriptor)
            throw .failed(.inspect, path: path.text, errno: error.code)
        }
    }
}
