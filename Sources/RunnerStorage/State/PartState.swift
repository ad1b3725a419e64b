internal import FoundationEssentials
package import RunnerJob

/// What is known of a part file across runs; lies in `parts/` of the state folder.
///
/// Of a single stream it does not say how many bytes there are: the part file's own length does, so that a kill between
/// two writes leaves nothing untrue. Of segments it names ranges that were written before it was.
package struct PartState: Codable, Hashable, Sendable {
    package static let schema = "runner.part/1"

    package var schema = Self.schema
    /// Destination, as in the job.
    package var path: String
    /// What the part is a part of; see ``PartIdentity``.
    package var identity: String
    /// Source that the bytes came from, without user info and query.
    package var source: String
    /// A strong entity tag, and a date that is good as a strong validator.
    package var etag: String?
    package var lastModified: String?
    /// Size of the whole file.
    package var total: Int64?
    /// First byte, and first byte behind it, of each range that is there; nil when the part file's length says it.
    package var ranges: [[Int64]]?
    /// What the server called the file, where the task asks for that.
    package var name: String?
    /// The kernel's boot when it was written, and how many bytes were safe on the disk by then.
    package var boot: String
    package var synced: Int64

    package init(
        path: String, identity: String, source: String, etag: String? = nil, lastModified: String? = nil,
        total: Int64? = nil, ranges: [[Int64]]? = nil, name: String? = nil, boot: String = BootID.current,
        synced: Int64 = 0
    ) {
        self.path = path
        self.identity = identity
        self.source = source
        self.etag = etag
        self.lastModified = lastModified
        self.total = total
        self.ranges = ranges
        self.name = name
        self.boot = boot
        self.synced = synced
    }

    /// How many of the bytes that lie on the disk may be believed.
    ///
    /// After a power loss a file can have its length and not its bytes; only what was synced is sure then, unless a
    /// digest has the last word.
    package func trusted(_ length: Int64, isGuardedByDigest: Bool) -> Int64 {
        boot == BootID.current && !boot.isEmpty || isGuardedByDigest ? length : min(length, synced)
    }
}

/// What makes a part belong to a task: the same destination, digests and size, from one of the same sources.
///
/// Queries are left out, because signed URLs change from run to run while the file stays the same.
package struct PartIdentity: Sendable {
    private let path: TargetPath
    private let digests: [Digest]
    private let size: Int64?
    private let sources: [SourceURL]

    package init(path: TargetPath, digests: [Digest], size: Int64?, sources: [SourceURL]) {
        self.path = path
        self.digests = digests
        self.size = size
        self.sources = sources
    }

    package init(of download: Download, digests: [Digest]) {
        self.init(path: download.partPath, digests: digests, size: download.size, sources: download.sources)
    }

    /// In hexadecimal digits; computed only where a state is written or compared, which small files do without.
    package func hex() throws(StorageError) -> String {
        var text = path.text + "\n"
        text += digests.map(\.description).sorted().joined(separator: ",") + "\n"
        text += size.map(String.init) ?? ""
        for source in sources.map(Self.withoutQuery).sorted() { text += "\n" + source }
        return try DigestSet.digest(of: Array(text.utf8), by: .sha256).hex
    }

    /// A source as it is named in a part's state; two URLs that differ only in their query are one.
    package static func withoutQuery(_ url: SourceURL) -> String {
        let text = url.url.text
        return text.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(text[..<$0]) } ?? text
    }
}

/// The states of a job's part files.
package struct PartStates: Sendable {
    private let folder: StateFolder
    /// Tells this job from others that work in the same folder.
    private let job: String
    /// Knows what must not be kept.
    private let redactor: Redactor
    /// Names of the states that earlier runs left.
    private let earlier: Set<String>

    /// Looks which states there are; later changes are this value's own.
    package init(folder: StateFolder, job: String, redactor: Redactor = Redactor()) {
        self.folder = folder
        self.job = job
        self.redactor = redactor
        earlier = Set(folder.names(in: "parts").map { "parts/\($0)" })
    }

    /// The state that an earlier run left of a destination's part; nil when there is none, or it is damaged.
    package func load(_ path: TargetPath) throws(StorageError) -> PartState? {
        if earlier.isEmpty { return nil }
        let name = try name(path)
        guard earlier.contains(name), let bytes = folder.read(name),
            let state = try? JSONDecoder().decode(PartState.self, from: Data(bytes)), state.schema == PartState.schema
        else { return nil }
        return state
    }

    /// The states that earlier runs of this job left, in no order.
    package func all() -> [PartState] {
        earlier.compactMap { name in
            guard let bytes = folder.read(name),
                let state = try? JSONDecoder().decode(PartState.self, from: Data(bytes)),
                state.schema == PartState.schema,
                // Other jobs keep their states in the same folder.
                (try? self.name(TargetPath(normalized: state.path))) == name
            else { return nil }
            return state
        }
    }

    package func save(_ state: PartState, for path: TargetPath) throws(StorageError) {
        var state = state
        state.etag = redactor.unlessSecret(state.etag)
        state.lastModified = redactor.unlessSecret(state.lastModified)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(state) else { return }
        try folder.replace(try name(path), with: Array(data) + [0x0A])
    }

    package func remove(_ path: TargetPath) throws(StorageError) {
        folder.remove(try name(path))
    }

    /// Removes what an earlier run, killed between publishing the file and this, left of its part.
    package func removeLeftover(of path: TargetPath) {
        guard !earlier.isEmpty, let name = try? name(path), earlier.contains(name) else { return }
        folder.remove(name)
    }

    private func name(_ path: TargetPath) throws(StorageError) -> String {
        let digest = try DigestSet.digest(of: Array("\(job)\u{0}\(path.text)".utf8), by: .sha256)
        return "parts/\(digest.hex.prefix(24)).json"
    }
}
