/// What the downloads of a job were when they were locked; the file beside the job, `nightly.lock`.
public struct LockFile: Sendable {
    /// One download.
    public struct Entry: Hashable, Sendable {
        /// Where the file goes, as in the job.
        public var path: ExactText
        /// SHA-256 of the file.
        public var digest: Digest
        /// Bytes.
        public var size: Int64
        /// The job's own URL for it, and where its redirects led when that is another; secrets are masked.
        public var url: String
        public var finalURL: String?
        /// Validators of the reply, as the server sent them.
        public var etag: String?
        public var lastModified: String?
        /// When the entry was made, in universal time (RFC 3339).
        public var date: String
        /// Where the entry stands; the first byte of the text when it was not read from one.
        public var place: Place

        public init(
            path: ExactText, digest: Digest, size: Int64, url: String, finalURL: String? = nil, etag: String? = nil,
            lastModified: String? = nil, date: String, place: Place = Place(file: 0, line: 1, column: 1)
        ) {
            self.path = path
            self.digest = digest
            self.size = size
            self.url = url
            self.finalURL = finalURL
            self.etag = etag
            self.lastModified = lastModified
            self.date = date
            self.place = place
        }

        /// Whether two entries say the same of the same file, whenever they were made.
        public func agrees(with other: Entry) -> Bool {
            path == other.path && digest == other.digest && size == other.size && url == other.url
                && finalURL == other.finalURL && etag == other.etag && lastModified == other.lastModified
        }
    }

    /// In the order of their paths, each path once.
    public let entries: [Entry]
    private let places: [ExactText: Int]
    /// The text that the entries were read from.
    public var sources = SourceMap()

    public init(_ entries: [Entry]) {
        let sorted = entries.sorted { $0.path.text.utf8.lexicographicallyPrecedes($1.path.text.utf8) }
        self.entries = sorted
        places = Dictionary(zip(sorted.map(\.path), sorted.indices)) { first, _ in first }
    }

    /// The entry of a path.
    public func entry(of path: ExactText) -> Entry? {
        places[path].map { entries[$0] }
    }

    /// The entry of a download; of one whose name a server gives, that of its URL in its folder.
    ///
    /// - Parameter redactor: masks URLs as it did when the lock file was written.
    public func entry(of download: Download, redactor: Redactor) -> Entry? {
        guard case .named(let name) = download.destination else { return entry(of: download.path.path) }
        let url = ExactText(redactor.url(download.sources.first?.url.text ?? ""))
        return entries.first { ExactText($0.url) == url && name.mayBe(TargetPath(normalized: $0.path.text)) }
    }

    /// The path of the lock file that belongs to a job file: its name with `.lock` for `.yaml` or `.yml`.
    public static func path(forJob path: String) -> String {
        for suffix in [".yaml", ".yml"] where path.hasSuffix(suffix) {
            return String(path.dropLast(suffix.count)) + ".lock"
        }
        return path + ".lock"
    }

    /// The text of the file: the same entries give the same bytes, and one changed entry a short difference.
    public var text: String {
        var text = "# Written by `runner lock`: what each download of the job was. Read by `runner run --locked`.\n"
        text += "version: 1\n"
        guard !entries.isEmpty else { return text + "downloads: []\n" }
        text += "downloads:\n"
        for entry in entries {
            text += "  - to: \(YAMLScalar.quoted(entry.path.text))\n"
            func add(_ key: String, _ value: String?) {
                if let value { text += "    \(key): \(value)\n" }
            }
            add("sha256", entry.digest.hex)
            add("size", String(entry.size))
            add("url", YAMLScalar.quoted(entry.url))
            add("final_url", entry.finalURL.map(YAMLScalar.quoted))
            add("etag", entry.etag.map(YAMLScalar.quoted))
            add("last_modified", entry.lastModified.map(YAMLScalar.quoted))
            add("date", YAMLScalar.quoted(entry.date))
        }
        return text
    }
}
