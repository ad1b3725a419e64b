public import RunnerJob

/// What a path held at one moment, in a form that two moments can be compared by.
///
/// Of a file its size, times and inode; of a folder the same of all that lies below it, in one number.
public struct PathStamp: Hashable, Sendable {
    /// As the ledger keeps it.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// Nothing lies there.
    public static let missing = PathStamp("-")

    public var isMissing: Bool { self == .missing }

    /// The stamp of anything but a folder.
    ///
    /// The device is left out, since its number may change from boot to boot.
    public init(_ file: FileState?) {
        guard let file else {
            self = .missing
            return
        }
        let letter =
            switch file.kind {
            case .file: "f"
            case .folder: "d"
            case .link: "l"
            case .other: "o"
            }
        self.init("\(letter) \(file.size) \(file.modified) \(file.changed) \(file.inode)")
    }
}

/// What the ledger keeps of a task that was done: what was asked, what it read, and what it made.
public struct ProductRecord: Hashable, Sendable {
    public struct Path: Hashable, Sendable {
        public var path: TargetPath
        public var stamp: PathStamp
        /// Of the file's bytes then, where they were known.
        public var digests: RecordedDigests

        public init(_ path: TargetPath, _ stamp: PathStamp, digests: RecordedDigests = RecordedDigests("")) {
            self.path = path
            self.stamp = stamp
            self.digests = digests
        }
    }

    /// ``TaskWork/fingerprint`` then.
    public var fingerprint: Int64
    public var inputs: [Path]
    public var outputs: [Path]
    /// When the task was done, in seconds since 1970.
    public var finished: Int64
    /// Whether what was made is sure to be on the disk: it was synced, or the machine has not started anew since.
    public var isTrusted: Bool

    public init(
        fingerprint: Int64, inputs: [Path], outputs: [Path], finished: Int64, isTrusted: Bool = true
    ) {
        self.fingerprint = fingerprint
        self.inputs = inputs
        self.outputs = outputs
        self.finished = finished
        self.isTrusted = isTrusted
    }
}
