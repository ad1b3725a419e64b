/// An upload task: a file of the job, and where it is sent.
public struct Upload: Sendable, TaskWork {
    public static let kind = TaskKind.upload

    public var path: TargetPath
    /// Where the job file names the path.
    public var place: Place
    public var target: SourceURL
    /// In capitals: PUT, POST or PATCH.
    public var method: String
    /// A form that the file is a field of; nil to send the file as it is.
    public var form: UploadForm?
    /// Statuses that count as success; empty for every 2xx.
    public var statuses: Set<Int> = []
    /// Where the body of the reply goes.
    public var savedResponse: TargetPath?
    /// How the target is asked, but for method and body.
    public var request = RequestSettings.standard
    /// How each origin is asked; nil where all are asked alike.
    public var layers: RequestLayers?
    /// Bytes a second that the file is sent with at the most; nil for no limit of its own.
    public var rate: Int64?

    public init(path: TargetPath, at place: Place, target: SourceURL, method: String, form: UploadForm? = nil) {
        self.path = path
        self.place = place
        self.target = target
        self.method = method
        self.form = form
    }

    public var inputs: [PathInput] { [PathInput(path, at: place, as: .source)] }
    public var outputs: [PathOutput] { savedResponse.map { [PathOutput($0)] } ?? [] }
    public var sourceText: String { path.text }
    public var targetText: String { target.url.text }

    /// Credentials do not count: they change, and what they let in does not.
    public var fingerprint: Int64? {
        var fingerprint = Fingerprint()
        fingerprint.add(path.text)
        fingerprint.add(target.url.text)
        fingerprint.add(method)
        for field in request.headers where !field.isCredential {
            fingerprint.add(field.name.lowercased())
            fingerprint.add(field.value)
        }
        fingerprint.add(savedResponse?.text)
        for status in statuses.sorted() { fingerprint.add("\(status)") }
        form?.add(to: &fingerprint)
        return fingerprint.value
    }
}

/// The form that a file is sent in (RFC 7578).
public struct UploadForm: Hashable, Sendable {
    /// Name of the file's field.
    public var field = "file"
    /// Name that the server is told; nil for the file's own.
    public var fileName: String?
    /// nil for the media type that the file's name says.
    public var contentType: String?
    /// Fields before the file, in the order of the job.
    public var fields: [NamedValue] = []
    /// Further header fields of the file's part.
    public var headers: [HeaderField] = []

    public init() {}

    /// Whether a value in it must go to no other origin.
    public var hasSecret: Bool { fields.contains(where: \.hasSecret) || headers.contains(where: \.isCredential) }

    fileprivate func add(to fingerprint: inout Fingerprint) {
        fingerprint.add(field)
        fingerprint.add(fileName)
        fingerprint.add(contentType)
        for field in fields {
            fingerprint.add(field.name)
            fingerprint.add(field.hasSecret ? nil : field.value)
        }
        for header in headers where !header.isCredential { fingerprint.add("\(header.name): \(header.value)") }
    }
}
