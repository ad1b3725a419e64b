/// An extract task: unpacks an archive, or a single compressed file, into a folder.
public struct Extraction: Sendable, TaskWork {
    public static let kind = TaskKind.extract

    /// What becomes of a folder that lies at ``target`` already.
    public enum Existing: String, CaseIterable, Sendable {
        /// It goes, with all that lies in it, when the new one is whole.
        case replace
        /// It stays, and files of the archive take the place of those of the same name.
        case merge
    }

    /// Ceilings that stop an archive that unpacks to far more than it seems to hold.
    public struct Limits: Hashable, Sendable {
        public var entries: Int64 = 1_000_000
        /// Bytes of all files together.
        public var bytes: Int64 = 1 << 40
        /// Bytes of all files for one byte of the archive; looked at once there are more than ``ratioFloor`` bytes.
        public var ratio: Int64 = 200

        public static let ratioFloor: Int64 = 64 << 20

        public init() {}
    }

    public var archive: TargetPath
    /// Where the job file names the archive.
    public var place: Place
    /// The folder.
    public var target: TargetPath
    /// Leading parts of each name that are left out.
    public var strip = 0
    public var selection = EntrySelection()
    public var password: String?
    /// Nil: a folder that the task made is replaced, and another one is left alone.
    public var existing: Existing?
    public var limits = Limits()

    public init(archive: TargetPath, at place: Place, to target: TargetPath) {
        self.archive = archive
        self.place = place
        self.target = target
    }

    public var inputs: [PathInput] { [PathInput(archive, at: place, as: .source)] }
    public var outputs: [PathOutput] { [PathOutput(target, isFolder: true)] }
    /// To unpack an archive takes longer than to read it, and so does all that reads the folder.
    public var knowsInputsByDigest: Bool { true }
    public var sourceText: String { archive.text }
    public var targetText: String { target.text + "/" }

    /// Password and ceilings change nothing about a folder that was made; merging leaves in it what was there before.
    public var fingerprint: Int64? {
        var fingerprint = Fingerprint()
        fingerprint.add(archive.text)
        fingerprint.add(target.text)
        fingerprint.add("\(strip)")
        fingerprint.add(selection)
        if existing == .merge { fingerprint.add("merge") }
        return fingerprint.value
    }
}
