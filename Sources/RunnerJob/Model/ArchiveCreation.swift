/// An archive task: packs files and folders into one archive.
public struct ArchiveCreation: Sendable, TaskWork {
    public static let kind = TaskKind.archive

    /// A file, or a folder with all that lies in it.
    public struct Source: Hashable, Sendable {
        public var path: TargetPath
        public var place: Place
        /// Whether it was written with a slash at its end.
        public var isFolder: Bool

        public init(_ path: TargetPath, at place: Place, isFolder: Bool) {
            self.path = path
            self.place = place
            self.isFolder = isFolder
        }
    }

    /// The time that each entry is given.
    public enum Time: Hashable, Sendable {
        /// 1970, so that the same content makes the same bytes.
        case zero
        /// When the file was last written to.
        case ofFiles
        /// Seconds since 1970.
        case fixed(Int64)
    }

    public var sources: [Source]
    public var target: TargetPath
    public var format: PackedFormat
    /// Leading parts of each name that are left out.
    public var strip = 0
    /// Put before each name, as a folder; empty for none.
    public var prefix = ""
    public var selection = EntrySelection()
    public var password: String?
    /// How hard it is compressed; nil for the library's own choice.
    public var level: Int?
    public var threads: Int?
    public var time = Time.zero

    public init(sources: [Source], to target: TargetPath, format: PackedFormat) {
        self.sources = sources
        self.target = target
        self.format = format
    }

    public var inputs: [PathInput] {
        sources.map { PathInput($0.path, at: $0.place, as: .source, shape: $0.isFolder ? .folder : .any) }
    }

    public var outputs: [PathOutput] { [PathOutput(target)] }
    public var sourceText: String { sources.count == 1 ? sources.first?.text ?? "" : "" }
    public var targetText: String { target.text }

    /// Permissions, and times where the job says so, are part of an archive.
    public var readsBytesAlone: Bool { false }

    /// Threads change nothing about the bytes.
    public var fingerprint: Int64? {
        var fingerprint = Fingerprint()
        for source in sources { fingerprint.add(source.text) }
        fingerprint.add(target.text)
        fingerprint.add("\(strip)")
        fingerprint.add(prefix)
        fingerprint.add(selection)
        fingerprint.add(password.map(Self.trace))
        fingerprint.add(level.map { "\($0)" })
        fingerprint.add("\(time)")
        return fingerprint.value
    }

    /// Eight bits of a password: enough to notice another one, too few to find it by.
    private static func trace(_ password: String) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add(password)
        return String(fingerprint.digits.suffix(2))
    }
}

extension ArchiveCreation.Source {
    var text: String { isFolder ? path.text + "/" : path.text }
}

/// A format that archives are made in; the raw value is its usual suffix.
public enum PackedFormat: String, CaseIterable, Sendable {
    case tar, zip
    case tarGzip = "tar.gz"
    case tarBzip2 = "tar.bz2"
    case tarXZ = "tar.xz"
    case tarZstd = "tar.zst"
    case sevenZip = "7z"

    private static let shortSuffixes: [(String, Self)] = [
        ("tgz", .tarGzip), ("tbz", .tarBzip2), ("tbz2", .tarBzip2), ("txz", .tarXZ), ("tzst", .tarZstd),
    ]

    /// By the suffix of a file's name; nil when it has none of these.
    public init?(name: String) {
        let name = name.lowercased()
        let suffixes = Self.allCases.map { ($0.rawValue, $0) } + Self.shortSuffixes
        guard let found = suffixes.first(where: { name.hasSuffix("." + $0.0) && name.utf8.count > $0.0.utf8.count + 1 })
        else { return nil }
        self = found.1
    }

    /// Values of `level`; nil where nothing is compressed.
    public var levels: ClosedRange<Int>? {
        switch self {
        case .tar: nil
        case .zip, .tarGzip, .tarXZ, .sevenZip: 0...9
        case .tarBzip2: 1...9
        case .tarZstd: 1...22
        }
    }

    /// Whether more than one thread can compress it.
    public var takesThreads: Bool { self == .tarXZ || self == .tarZstd }
    public var takesPassword: Bool { self == .zip }
    /// Whether a name must be UTF-8.
    public var needsUnicode: Bool { self == .zip || self == .sevenZip }
}
