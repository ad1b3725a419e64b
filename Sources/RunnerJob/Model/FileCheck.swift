/// A check task: asserts what a file is that something else made.
public struct FileCheck: Sendable, TaskWork {
    public static let kind = TaskKind.check

    public var path: TargetPath
    /// Where the job file names the path.
    public var place: Place
    /// Every one of them must hold.
    public var digests: [Digest]
    /// A list that holds the digest of the file.
    public var checksumList: ChecksumListFile?
    /// Exact size in bytes.
    public var size: Int64?
    /// Sizes and type; what only a server can tell is not among them.
    public var expect: Expectations

    public init(
        path: TargetPath, at place: Place, digests: [Digest] = [], size: Int64? = nil,
        expect: Expectations = Expectations()
    ) {
        self.path = path
        self.place = place
        self.digests = digests
        self.size = size
        self.expect = expect
    }

    public var inputs: [PathInput] {
        [PathInput(path, at: place, as: .subject)]
            + (checksumList.map { [PathInput($0.path, at: $0.place, as: .checksumList)] } ?? [])
    }

    public var outputs: [PathOutput] { [] }
    public var sourceText: String { path.text }
    public var targetText: String { "" }

    public var fingerprint: Int64? {
        var fingerprint = Fingerprint()
        fingerprint.add(path.text)
        for digest in digests { fingerprint.add(digest.description) }
        fingerprint.add(checksumList?.path.text)
        for digest in checksumList?.digests ?? [] { fingerprint.add(digest.description) }
        fingerprint.add(size.map { String($0) })
        fingerprint.add(expect.minSize.map { String($0) })
        fingerprint.add(expect.maxSize.map { String($0) })
        fingerprint.add(expect.type?.rawValue)
        return fingerprint.value
    }
}

/// A checksum list that lies on the disk when it is needed.
public struct ChecksumListFile: Hashable, Sendable {
    public var path: TargetPath
    public var place: Place
    /// What the list itself must hash to.
    public var digests: [Digest]

    public init(_ path: TargetPath, at place: Place, digests: [Digest] = []) {
        self.path = path
        self.place = place
        self.digests = digests
    }
}
