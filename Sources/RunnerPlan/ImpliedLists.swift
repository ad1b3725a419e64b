internal import RunnerJob

/// The tasks that fetch the checksum lists which a job names by URL: one for each distinct URL.
struct ImpliedLists {
    /// In the order in which the job first names them.
    private(set) var tasks: [JobTask] = []
    /// Position in ``tasks`` of the task that fetches a URL.
    private var positions: [ExactText: Int] = [:]
    /// Number of the job's own tasks, which come first in a plan.
    private let offset: Int

    init(of tasks: [JobTask], folder: TargetPath, redactor: Redactor, findings: inout Findings) {
        offset = tasks.count
        for task in tasks {
            guard case .download(let download) = task.action, let list = download.checksumList,
                case .url(let url) = list.source
            else { continue }
            if let position = positions[url.url] {
                pin(position, as: list, &findings)
                self.tasks[position].priority = max(self.tasks[position].priority, task.priority)
                self.tasks[position].isOptional = self.tasks[position].isOptional && task.isOptional
            } else {
                positions[url.url] = self.tasks.count
                let path = TargetPath(normalized: folder.text + "/" + Self.fileName(for: url.url.text, redactor))
                self.tasks.append(Self.task(fetching: url, for: task, download, path: path))
                pin(self.tasks.count - 1, as: list, &findings)
            }
        }
    }

    /// Holds a list to the digests of one more task that names it.
    private mutating func pin(_ position: Int, as list: ChecksumListReference, _ findings: inout Findings) {
        guard !list.digests.isEmpty, case .download(var download) = tasks[position].action else { return }
        for digest in list.digests where !download.digests.contains(digest) {
            if download.digests.contains(where: { $0.algorithm == digest.algorithm }) {
                let first = Diagnostic.Note("its URL is first here", at: tasks[position].place)
                findings.error(
                    "two different \(digest.algorithm.rawValue) digests for one checksum list", at: list.place,
                    notes: [first])
            } else {
                download.digests.append(digest)
            }
        }
        tasks[position].action = .download(download)
    }

    /// Index, in the job's tasks followed by the implied ones, of the task that fetches a URL.
    func index(of url: SourceURL) -> Int? {
        positions[url.url].map { offset + $0 }
    }

    /// The list is asked for as the first task that names it would ask: same headers, credentials, retry and limits.
    ///
    /// What that task sends, and the cookies that it leaves, are its own affair, and its credentials are for its origin.
    private static func task(
        fetching url: SourceURL, for task: JobTask, _ download: Download, path: TargetPath
    ) -> JobTask {
        let isShared = download.sources.first.map { $0.owner.sharesCredentials(with: url.owner) } ?? true
        let layers = (isShared ? download.layers : download.layers?.unbound())?.fetchingOnly()
        let plain = isShared ? download.request : download.request.unbound()
        // What `hosts` says of the file's own server is not for the list's.
        let request =
            layers?.settings(for: url.origin, source: url, isShared: url.isOwn) ?? plain.fetchingOnly()
        var list = Download(sources: [url], destination: .file(path), request: request)
        list.layers = layers
        // What is longer would not be read.
        list.expect.maxSize = Int64(Planner.longestList)
        return JobTask(
            id: path.path, place: url.place, isOptional: task.isOptional, priority: task.priority,
            retry: task.retry, timeout: task.timeout,
            action: .download(list))
    }

    /// A name that tells which list it is and that no other URL has: a hash of the URL, and its last part.
    ///
    /// Whoever lists the folder is to read no secret.
    static func fileName(for url: String, _ redactor: Redactor) -> String {
        // Two lists of one job must not meet in one file; nothing is guarded by the hash.
        var hash = Fingerprint()
        hash.addBytes(of: url)
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = path.split(separator: UInt8(ascii: "/")).last ?? path[...]
        let safe = redactor.text(String(decoding: last, as: UTF8.self)).utf8.filter { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        let name = String(decoding: safe.suffix(60), as: UTF8.self)
        return hash.digits + "-" + (name.isEmpty ? "list" : name)
    }
}
