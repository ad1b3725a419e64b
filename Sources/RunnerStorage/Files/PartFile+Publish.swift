internal import Glibc
internal import RunnerJob
package import RunnerPlan
internal import Synchronization

extension PartFile {
    /// A file that was put in place.
    package struct Publication: Hashable, Sendable {
        /// What lies at the destination.
        package var state: FileState
        /// When the file whose place it took was changed last, in nanoseconds since 1970; nil where there was none.
        package var replaced: Int64?
    }

    /// Puts the file in place of whatever file or link the destination is, in one step.
    ///
    /// - Parameters:
    ///   - target: the destination's last part, where that became known on the way; nil for that of ``path``.
    ///   - mode: permission bits; nil for 0666 under the umask.
    ///   - modified: seconds since 1970; nil for now.
    /// - Throws: when the disk refuses; the destination is untouched then, and the part file is kept.
    @discardableResult
    package func publish(
        as target: String? = nil, mode: UInt16? = nil, modified: Int64? = nil
    ) throws(StorageError) -> Publication {
        let target = target ?? path.name
        return try state.withLock { (state) throws(StorageError) in
            if case .nameless(let content) = state {
                try set(mode, modified, of: content)
                if let published = try publishNameless(content, as: target) {
                    state = .gone
                    return Publication(state: published.state)
                }
                state = .open(try named(content))
            }
            guard case .open(let content) = state else { throw .partIsClosed(path: path.text) }
            releaseReserve(content)
            try set(mode, modified, of: content)
            let written = try status(of: content)
            guard written.links > 0 || isInPlace(written), written.size == content.length else {
                throw .partReplaced(path: path.text)
            }
            // Closed before it is renamed: a network file system tells only here that bytes were lost (close(2)).
            state = .kept
            try close(content)
            let replaced = (try? files.status(of: target, in: folder.descriptor))?.changed
            do throws(SystemError) {
                try files.rename(name, to: target, in: folder.descriptor)
            } catch {
                throw refusal(error)
            }
            state = .gone
            return Publication(state: published(written, as: target).state, replaced: replaced)
        }
    }

    /// Gives a file without a name that of the destination; nil where that has to be done in another way.
    ///
    /// Where something is in the way, which is the usual reason, a rename can take its place and a link cannot.
    private func publishNameless(_ content: Content, as target: String) throws(StorageError) -> FileStatus? {
        guard (try? files.link(content.descriptor, as: target, in: folder.descriptor)) != nil else { return nil }
        do {
            let published = try status(of: content)
            try close(content)
            // What an earlier run left under the part's name is of no use any more.
            if folder.mayHoldPart(name), (try? files.status(of: name, in: folder.descriptor)) != nil {
                try? files.unlink(name, in: folder.descriptor)
            }
            return published
        } catch {
            try? files.unlink(target, in: folder.descriptor)
            throw error
        }
    }

    private func close(_ content: Content) throws(StorageError) {
        do throws(SystemError) {
            try files.close(content.descriptor)
        } catch {
            throw failure(.close, error, content)
        }
    }

    private func set(_ mode: UInt16?, _ modified: Int64?, of content: Content) throws(StorageError) {
        if let mode {
            do throws(SystemError) {
                try files.setMode(mode, of: content.descriptor)
            } catch {
                throw .failed(.setMode, path: path.text, errno: error.code)
            }
        }
        if let modified {
            do throws(SystemError) {
                try files.setModified(modified, of: content.descriptor)
            } catch {
                throw .failed(.setModified, path: path.text, errno: error.code)
            }
        }
    }

    private func status(of content: Content) throws(StorageError) -> FileStatus {
        do throws(SystemError) {
            return try files.status(of: content.descriptor)
        } catch {
            throw .failed(.inspect, path: path.text, errno: error.code)
        }
    }

    /// Whether the part's name is still that of the open file.
    ///
    /// A run with another state folder knows nothing of this one, and begins a part of its own under the same name.
    private func isInPlace(_ written: FileStatus) -> Bool {
        (try? files.status(of: name, in: folder.descriptor))?.isSameFile(as: written) ?? false
    }

    private func refusal(_ error: SystemError) -> StorageError {
        switch error.code {
        case EISDIR, EEXIST, ENOTEMPTY: .destinationIsFolder(path: path.text)
        default: .full(error.code, path: path.text) ?? .failed(.rename, path: path.text, errno: error.code)
        }
    }

    /// Looks once more, since renaming changes the time of change; another job's file is not taken for this one.
    private func published(_ written: FileStatus, as target: String) -> FileStatus {
        guard let now = try? files.status(of: target, in: folder.descriptor), now.isSameFile(as: written) else {
            return written
        }
        return now
    }
}
