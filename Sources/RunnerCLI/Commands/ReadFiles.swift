internal import RunnerJob
internal import RunnerStorage
internal import Synchronization

/// Notes what a job is read from while it is read.
final class ReadFiles: Sendable {
    private let reliance = Mutex(Reliance())

    /// What was read so far, and what `own` says.
    func reliance(over own: Reliance) -> Reliance {
        reliance.withLock { noted in
            var all = own
            all.isFleeting = own.isFleeting || noted.isFleeting
            all.files = noted.files
            return all
        }
    }

    /// The same way to the system, which is watched.
    func watching(_ files: JobFiles) -> JobFiles {
        JobFiles(
            read: { (path, take) throws(JobFileFault) in
                guard path != JobFiles.standardInput, let digest = try? DigestSet([.sha256]) else {
                    self.reliance.withLock { $0.isFleeting = true }
                    return try files.read(path, take)
                }
                do throws(JobFileFault) {
                    try files.read(path) { piece in
                        try? piece.span.withUnsafeBytes { try digest.update($0) }
                        return take(piece)
                    }
                } catch {
                    self.note(path, .unreadable)
                    throw error
                }
                self.note(path, (try? digest.finalize()[.sha256]).flatMap { $0 }.map { .bytes(sha256: $0.bytes) })
            },
            run: { (words) throws(JobFileFault) in
                self.reliance.withLock { $0.isFleeting = true }
                return try files.run(words)
            })
    }

    private func note(_ path: String, _ content: Reliance.FileContent?) {
        reliance.withLock { reliance in
            // A file that changed between two looks is not what either of them saw.
            if let earlier = reliance.files[path], earlier != content { reliance.isFleeting = true }
            reliance.files[path] = content ?? .unreadable
        }
    }
}
