internal import RunnerStorage
internal import Synchronization

/// Bytes of a local file.
extension PartWriter {
    /// Looks at a local file that is to be copied; answers with ``Report/source(_:)``.
    package func inspect(_ path: String) {
        lane.submit {
            self.attempt { (_) throws(StorageError) in
                guard let source = try self.openSource(path) else { return }
                self.isCopying.store(true, ordering: .relaxed)
                self.report(.source(Source(size: source.size, modified: source.modified)))
            }
        }
    }

    /// Copies a local file from this byte on, into the same place of the part.
    package func copy(from path: String, at start: Int64) {
        lane.submit { self.attempt { (state) throws(StorageError) in try self.copy(path, start, &state) } }
    }

    /// Ends a copy before its next chunk.
    package func stopCopying() {
        isCopying.store(false, ordering: .relaxed)
    }

    private func copy(_ path: String, _ start: Int64, _ state: inout State) throws(StorageError) {
        guard case .open(let part, let digests, _) = state else { return }
        guard let source = try openSource(path) else { return }
        var told = start
        let outcome: CopySource.Outcome?
        do throws(StorageError) {
            outcome = try source.copy(into: part, from: start, digests: digests) { done in
                report(.copied(Int(done - told)))
                told = done
            } isCancelled: {
                !isCopying.load(ordering: .relaxed)
            }
        } catch {
            guard Self.isOfSource(error) else { throw error }
            report(.sourceBroke(error))
            outcome = nil
        }
        state = .open(part, digests, digested: told)
        if outcome == .finished { report(.copyEnded) }
    }

    /// Opens a local file; nil after a report when it cannot be had, which is no fault of the part's disk.
    private func openSource(_ path: String) throws(StorageError) -> CopySource? {
        do throws(StorageError) {
            return try CopySource(path: path)
        } catch {
            guard Self.isOfSource(error) else { throw error }
            report(.sourceBroke(error))
            return nil
        }
    }

    private static func isOfSource(_ error: StorageError) -> Bool {
        switch error {
        case .sourceMissing, .sourceIsNotFile, .sourceUnreadable, .sourceChanged: true
        default: false
        }
    }
}
