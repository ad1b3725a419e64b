public import RunnerJob

/// What is known of a file's bytes without reading them: their digests, as long as the file looks as it did then.
public struct KnownContent: Hashable, Sendable {
    public var stamp: PathStamp
    public var digests: RecordedDigests

    public init(stamp: PathStamp, digests: RecordedDigests) {
        self.stamp = stamp
        self.digests = digests
    }

    /// What was recorded of a file; nil when it may have been lost since, or when no digest is there.
    init?(_ record: PublishedRecord?) {
        guard let record, record.isTrusted, !record.digests.isEmpty else { return nil }
        let state = FileState(
            kind: .file, size: record.size, modified: record.modified, changed: record.changed, inode: record.inode)
        self.init(stamp: PathStamp(state), digests: record.digests)
    }
}

/// What is known of the bytes of some files.
public typealias KnownContents = [TargetPath: KnownContent]

extension RecordedDigests {
    /// Whether two files are sure to have the same bytes: a digest that nobody can make twice is the same.
    public func isSameContent(as other: RecordedDigests) -> Bool {
        let words = Set(text.split(separator: " "))
        return other.text.split(separator: " ").contains { word in
            words.contains(word) && !word.hasPrefix("md5:") && !word.hasPrefix("sha1:")
        }
    }
}
