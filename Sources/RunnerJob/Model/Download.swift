/// A download task: from where, to where, and what the bytes must be.
public struct Download: Sendable {
    /// The task's URL and its mirrors, in order of preference; never empty.
    public var sources: [SourceURL]
    public var destination: Destination
    /// Every one of them must hold.
    public var digests: [Digest]
    /// A list that holds the digest of this file.
    public var checksumList: ChecksumListReference? {
        get { sharedList?.value }
        set { sharedList = newValue.map(SharedValue.init) }
    }
    /// It lies apart, since few tasks have one.
    private var sharedList: SharedValue<ChecksumListReference>?
    /// Exact size in bytes.
    public var size: Int64?
    public var expect: Expectations {
        get { sharedExpect.value }
        set { sharedExpect = SharedValue(newValue) }
    }
    /// Held once by all tasks that say nothing of their own.
    var sharedExpect: SharedValue<Expectations>
    public var exists: ExistingFile
    /// How the first of ``sources`` is asked.
    public var request: RequestSettings
    /// How each origin is asked, where the job has sections of `hosts` for requests; nil where all are asked alike.
    public var layers: RequestLayers?
    /// Connections that may share the work on this file.
    public var segments: Segments
    /// Bytes a second that this file may come with; nil for no limit of its own.
    public var rate: Int64?
    /// Permission bits (at most 0o7777); nil for 0666 under the umask.
    public var mode: UInt16?
    public var modificationTime: ModificationTime
    public var backup = Backup.include

    public init(
        sources: [SourceURL], destination: Destination, digests: [Digest] = [],
        checksumList: ChecksumListReference? = nil, size: Int64? = nil, expect: Expectations? = nil,
        exists: ExistingFile = .verify, request: RequestSettings = .standard, segments: Segments = .single,
        mode: UInt16? = nil,
        modificationTime: ModificationTime = .now
    ) {
        self.sources = sources
        self.destination = destination
        self.digests = digests
        sharedList = checksumList.map(SharedValue.init)
        self.size = size
        sharedExpect = expect.map(SharedValue.init) ?? .nothing
        self.exists = exists
        self.request = request
        self.segments = segments
        self.mode = mode
        self.modificationTime = modificationTime
    }

    /// How many connections fetch one file.
    public enum Segments: Hashable, Sendable {
        case single
        /// As many as help, when slots are free.
        case auto
        /// That many at the most; at least 2.
        case fixed(Int)
    }

    /// Where the file goes.
    public enum Destination: Sendable, Hashable {
        /// A path that is known before the run.
        case file(TargetPath)
        /// A name that the server gives.
        indirect case named(ServerName)
    }

    /// The path that this task writes; where the server has yet to give the name, one that stands in for it.
    public var path: TargetPath {
        switch destination {
        case .file(let path): path
        case .named(let name): name.known ?? name.standIn
        }
    }

    /// The path under which a file that is under way is kept; the same in every run.
    public var partPath: TargetPath {
        switch destination {
        case .file(let path): path
        case .named(let name): name.standIn
        }
    }

    /// What the server is to name, if it is.
    public var serverName: ServerName? {
        if case .named(let name) = destination { name } else { nil }
    }

    /// What to do with a file that is there already.
    public enum ExistingFile: String, CaseIterable, Sendable {
        /// Fetch unless it is what is wanted.
        case verify
        /// Leave it, whatever it holds.
        case keep
        /// Fetch anew.
        case replace
        /// The task fails.
        case fail
    }

    /// Whether the file is worth a backup.
    public enum Backup: String, CaseIterable, Sendable { case include, exclude }

    public enum ModificationTime: String, CaseIterable, Sendable { case now, server }
}

/// A checksum list that another task writes, or that is fetched for this one.
public struct ChecksumListReference: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        /// A path of the job: an edge of the graph.
        case path(TargetPath)
        /// A URL: an implied task fetches it.
        indirect case url(SourceURL)
    }

    public var source: Source
    public var place: Place
    /// What the list itself must hash to; empty when it is believed as it is.
    public var digests: [Digest]

    public init(_ source: Source, at place: Place, digests: [Digest] = []) {
        self.source = source
        self.place = place
        self.digests = digests
    }
}

/// What an answer must look like (job-file reference, `expect`).
public struct Expectations: Hashable, Sendable {
    /// Statuses that count as success; empty for 200 and 206.
    public var statuses: Set<Int> = []
    public var minSize: Int64?
    public var maxSize: Int64?
    public var type: ContentType?
    /// A media type such as `application/zip`; parameters are not compared.
    public var mediaType: String?
    /// Whether the server's entity tag is the MD5 of the file, as some object stores have it.
    public var etagIsMD5 = false

    public init() {}

    /// What a file is by its first bytes.
    ///
    /// The raw value is the word of the job file.
    public enum ContentType: String, CaseIterable, Sendable {
        case zip, gzip, bzip2, xz, zstd, sevenZip = "7z", tar, pdf, png, jpeg, gif, elf, deb, rpm, sqlite, json, xml
        case notHTML = "not-html"
    }
}

extension Download: TaskWork {
    public static let kind = TaskKind.download

    public var inputs: [PathInput] {
        var inputs: [PathInput] = []
        if let list = checksumList, case .path(let path) = list.source {
            inputs.append(PathInput(path, at: list.place, as: .checksumList))
        }
        if case .file(let path, let place) = request.body { inputs.append(PathInput(path, at: place, as: .body)) }
        return inputs
    }

    public var outputs: [PathOutput] { [PathOutput(partPath)] }
    public var sourceText: String { sources.first?.url.text ?? "" }
    public var targetText: String {
        guard case .named(let name) = destination, name.known == nil else { return path.text }
        return name.folder.isEmpty ? "./" : name.folder + "/"
    }
    public var fingerprint: Int64? { nil }
}

extension SharedValue where Value == Expectations {
    /// Of tasks that expect nothing.
    static let nothing = SharedValue(Expectations())
}
