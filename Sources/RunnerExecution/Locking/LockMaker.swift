public import RunnerJob
internal import RunnerPlan
internal import RunnerStorage

/// Makes the entries of a lock file from the files that a run has left.
public struct LockMaker: Sendable {
    /// Why a file cannot be locked, or the lock file not be written.
    public struct Failure: Error, Hashable, Sendable {
        /// One sentence in words.
        public var message: String
    }

    private let directory: JobDirectory
    private let words: FaultText
    /// Time of the entries that are made, RFC 3339.
    private let date: String

    public init(_ job: Job, date: String) {
        directory = JobDirectory(root: job.directory)
        words = FaultText(redactor: Redactor(secrets: job.secrets))
        self.date = date
    }

    /// The entry of a download whose file is in place; nil when there is none.
    ///
    /// What the run did not learn anew of a file with the same bytes is taken from the entry before it, and so is the
    /// date of an entry that says nothing new.
    ///
    /// - Parameter finished: what the run said of the task.
    public func entry(
        of download: Download, finished: TaskFinished?, previous: LockFile.Entry?
    ) throws(Failure) -> LockFile.Entry? {
        var download = download
        if case .named(var name) = download.destination, let finished {
            // Where the server put it.
            name.known = TargetPath(normalized: finished.to)
            download.destination = .named(name)
        }
        guard let (digest, size) = try content(of: download, finished) else { return nil }
        let url = words.redactor.url(download.sources.first?.url.text ?? "")
        var entry = LockFile.Entry(path: download.path.path, digest: digest, size: size, url: url, date: date)
        if let finished, let http = finished.http {
            entry.finalURL = finished.finalURL.flatMap { $0 == url ? nil : $0 }
            entry.etag = words.redactor.unlessSecret(http.etag)
            entry.lastModified = words.redactor.unlessSecret(http.lastModified)
        } else if let previous, previous.digest == digest, previous.url == url {
            (entry.finalURL, entry.etag, entry.lastModified) = (previous.finalURL, previous.etag, previous.lastModified)
        }
        if let previous, previous.agrees(with: entry) { entry.date = previous.date }
        return entry
    }

    private func content(
        of download: Download, _ finished: TaskFinished?
    ) throws(Failure) -> (digest: Digest, size: Int64)? {
        if let finished, finished.outcome == .succeeded, let digest = finished.digest, digest.algorithm == .sha256,
            let size = finished.bytes
        {
            return (digest, size)
        }
        do throws(StorageError) {
            guard let file = try directory.openPresent(download.path),
                let digest = try FileHasher.digests(of: file, by: [.sha256])?[.sha256]
            else { return nil }
            return (digest, file.length)
        } catch {
            throw Failure(message: words.failure(error).message)
        }
    }

    /// Puts a lock file in its place, in one step.
    ///
    /// - Parameter path: absolute.
    public static func write(_ lock: LockFile, to path: String) throws(Failure) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        let name = TargetPath(normalized: String(path[slash...].drop { $0 == "/" }))
        do throws(StorageError) {
            let part = try JobDirectory(root: folder).openPart(for: name, identity: "lock")
            let bytes = Array(lock.text.utf8)
            try bytes.span.withUnsafeBytes { (bytes) throws(StorageError) in try part.write(bytes, at: 0) }
            try part.publish()
        } catch {
            throw Failure(message: StorageText.sentence(error))
        }
    }
}
