package import RunnerJob

/// What an upload sends with each of its requests.
package struct UploadPayload: Sendable {
    package var method: String
    /// Absolute path of the file.
    package var path: String
    /// Media type of the file, unless a header field of the task says another.
    package var contentType: String
    /// The form that the file is a part of; nil to send the file as it is.
    package var form: FormBody?
    /// Whether the form holds a value that must go to no other origin.
    package var hasSecret: Bool
    /// SHA-256 of the file in hexadecimal digits, where it is sent as it is.
    package var digest: String?
    /// Bytes a second that are sent at the most; nil for no limit.
    package var rate: Int64?
    /// Name that a file has at an FTP or SFTP server until it is whole.
    package var stagedName: String?

    package init(
        method: String, path: String, contentType: String, form: FormBody?, hasSecret: Bool, rate: Int64?
    ) {
        self.method = method
        self.path = path
        self.contentType = contentType
        self.form = form
        self.hasSecret = hasSecret
        self.rate = rate
    }

    var body: WireRequest.Body { form.map { .form($0) } ?? .file(path) }
}

extension WireRequest {
    /// Puts what an upload sends into a request; one that a redirect has turned into a GET sends nothing.
    mutating func send(_ payload: UploadPayload) {
        guard method == payload.method else { return }
        body = payload.body
        isUpload = true
        sendRate = payload.rate
        bodyDigest = payload.digest
        naming = url.origin.isHTTP ? nil : payload.stagedName.map { .staged($0) }
        let isNamed = headers.contains { $0.name.lowercased() == "content-type" }
        if payload.form == nil, !isNamed {
            headers.append(HeaderField(name: "Content-Type", value: payload.contentType, isCredential: false))
        }
    }
}
