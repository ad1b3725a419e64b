internal import RunnerJob

/// What a run leaves behind at whose end all was in place that its job wants.
///
/// As long as the job, what it was read from and the files are as they were, a further run has nothing to do; it need
/// neither read the job nor plan it to know that. To lose the record costs time and nothing else.
package struct SettledRecord: Hashable, Sendable {
    /// What all that the job was read from hashed to.
    package var key: [UInt8]
    /// Variables of the environment and files that ``key`` was made of, besides the job file.
    package var variables: [String]
    package var inputs: [String]
    /// The kernel's boot during which it was written; files need not have reached the disk (``BootID``).
    package var boot: String
    /// Name and file of the job, masked, and the SHA-256 of the file in hexadecimal digits.
    package var job: String
    package var file: String
    package var fileSHA256: String
    /// Absolute path of the folder that relative paths start from.
    package var directory: String
    /// Absolute path of the job's own report; nil where it asks for none.
    package var report: String?
    package var concurrency: Int
    package var perHost: Int
    package var tasks: Int
    /// Size of all files.
    package var bytes: Int64
    /// What lies on the disk.
    package var files: SettledFiles
    /// Bytes that tell of each task in the report, one after the other, each ended by a line feed.
    package var lines: ArraySlice<UInt8>

    package init(
        key: [UInt8], variables: [String], inputs: [String], boot: String = BootID.current, job: String, file: String,
        fileSHA256: String, directory: String, report: String?, concurrency: Int, perHost: Int, tasks: Int,
        bytes: Int64, files: SettledFiles, lines: ArraySlice<UInt8>
    ) {
        self.key = key
        self.variables = variables
        self.inputs = inputs
        self.boot = boot
        self.job = job
        self.file = file
        self.fileSHA256 = fileSHA256
        self.directory = directory
        self.report = report
        self.concurrency = concurrency
        self.perHost = perHost
        self.tasks = tasks
        self.bytes = bytes
        self.files = files
        self.lines = lines
    }
}

extension SettledRecord {
    /// First bytes of the file; another form of it gets another number.
    private static let mark = "runner.settled/1"

    /// Bytes of the SHA-256 of all others, with which the file ends.
    private static let sumLength = 32

    /// Where the record of a job lies, relative to the state folder.
    package static func name(ofJob identity: String) throws(StorageError) -> String {
        "settled/\(try DigestSet.digest(of: Array(identity.utf8), by: .sha256).hex.prefix(24))"
    }

    package static func load(job identity: String, from folder: StateFolder) -> SettledRecord? {
        guard let name = try? name(ofJob: identity), let bytes = folder.read(name, limit: 1 << 30) else { return nil }
        // A disk that forgets must not be believed.
        let content = bytes.dropLast(sumLength)
        guard let sum = try? DigestSet([.sha256]),
            (try? content.span.withUnsafeBytes({ (bytes) throws(StorageError) in try sum.update(bytes) })) != nil,
            let found = try? sum.finalize()[.sha256]?.bytes, found.elementsEqual(bytes.suffix(sumLength))
        else { return nil }
        return SettledRecord(content)
    }

    package func save(job identity: String, in folder: StateFolder) throws(StorageError) {
        let pieces = encoded
        let sum = try DigestSet([.sha256])
        for piece in pieces { try piece.span.withUnsafeBytes { (bytes) throws(StorageError) in try sum.update(bytes) } }
        let digest = try sum.finalize()[.sha256]?.bytes ?? []
        try folder.replace(try Self.name(ofJob: identity), withPieces: pieces + [digest[...]])
    }

    /// In pieces, since files and lines of a large job are long.
    private var encoded: [ArraySlice<UInt8>] {
        var record = RecordWriter()
        record.text(Self.mark)
        record.bytes(key)
        record.texts(variables)
        record.texts(inputs)
        for text in [boot, job, file, fileSHA256, directory, report ?? ""] { record.text(text) }
        for number in [Int64(concurrency), Int64(perHost), Int64(tasks), bytes] { record.number(number) }
        record.count(files.packed)
        var last = RecordWriter()
        last.count(lines)
        return [record.content[...], files.packed, last.content[...], lines]
    }

    /// Reads what ``encoded`` wrote; nil for anything else.
    private init?(_ content: ArraySlice<UInt8>) {
        var record = RecordReader(content)
        guard record.text() == Self.mark, let key = record.bytes(), let variables = record.texts(),
            let inputs = record.texts(), let boot = record.text(), let job = record.text(), let file = record.text(),
            let fileSHA256 = record.text(), let directory = record.text(), let report = record.text(),
            let concurrency = record.number(), let perHost = record.number(), let tasks = record.number(),
            let bytes = record.number(), let files = record.bytes(), let lines = record.bytes(), record.isAtEnd
        else { return nil }
        self.init(
            key: Array(key), variables: variables, inputs: inputs, boot: boot, job: job, file: file,
            fileSHA256: fileSHA256, directory: directory, report: report.isEmpty ? nil : report,
            concurrency: Int(concurrency), perHost: Int(perHost), tasks: Int(tasks), bytes: bytes,
            files: SettledFiles(packed: files), lines: lines)
    }
}
