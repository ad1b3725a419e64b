/// Reads what an upload has of its own.
struct UploadReader: ActionReader {
    static let kind = TaskKind.upload
    static let keys: Set<TaskKey> = sharedKeys.union([.upload, .to, .form, .method, .expect, .saveResponse])
    static let sharedKeys: Set<TaskKey> = [
        .headers, .userAgent, .auth, .cookies, .saveCookies, .tls, .ssh, .proxy, .redirects, .ip, .httpVersion,
        .interface, .unixSocket, .rate,
    ]

    private let context: ReadingContext
    private var path: TargetPath?
    private var pathPlace: Place?
    private var target: Node?
    private var form: UploadForm?
    private var method: String?
    private var statuses: Set<Int> = []
    private var savedResponse: TargetPath?

    init(_ context: ReadingContext) {
        self.context = context
    }

    private var fields: Fields { context.fields }

    mutating func read(_ key: TaskKey, _ entry: Node.Entry) -> Bool {
        let name = key.rawValue, node = entry.value
        switch key {
        case .upload:
            pathPlace = node.place
            path = fields.filePath(node, name, in: context.directory)
        case .to: target = node
        case .form: form = readForm(node)
        case .method: method = readMethod(node)
        case .expect: readExpectations(node)
        case .saveResponse: savedResponse = fields.filePath(node, name, in: context.directory)
        default: return false
        }
        return true
    }

    private func readMethod(_ node: Node) -> String? {
        guard let text = fields.line(node, "method") else { return nil }
        guard ["PUT", "POST", "PATCH"].contains(text) else {
            fields.faults.error(
                "`method` of an `upload` is PUT, POST or PATCH, not \(fields.written(node))", at: node.place)
            return nil
        }
        return text
    }

    private enum ExpectKey: String, CaseIterable { case status }

    private mutating func readExpectations(_ node: Node) {
        guard let entries = fields.mapping(node, "expect", example: "{status: 201}") else { return }
        fields.each(entries, of: "`expect` of an `upload` task", as: ExpectKey.self) { key, entry in
            statuses = Set(
                fields.checks(entry.value, key.rawValue).compactMap {
                    fields.integer($0, key.rawValue, in: 100...599)
                })
        }
    }

    // MARK: Forms

    private enum FormKey: String, CaseIterable {
        case field
        case fileName = "file_name"
        case contentType = "content_type"
        case fields, headers
    }

    private func readForm(_ node: Node) -> UploadForm? {
        guard let entries = fields.mapping(node, "form", example: "{field: file}") else { return nil }
        var form = UploadForm()
        fields.each(entries, of: "`form`", as: FormKey.self) { key, entry in
            let name = key.rawValue, value = entry.value
            switch key {
            case .field: form.field = fields.line(value, name) ?? form.field
            case .fileName: form.fileName = fields.line(value, name)
            case .contentType: form.contentType = context.settings.mediaTypeOfPart(value, name)
            case .fields: form.fields = readFields(value)
            case .headers: context.settings.readHeaders(value, into: &form.headers)
            }
        }
        return form
    }

    private func readFields(_ node: Node) -> [NamedValue] {
        guard let entries = fields.mapping(node, "fields", example: "{title: Report}") else { return [] }
        return entries.compactMap { entry in
            guard let value = fields.value(entry.value, entry.key) else { return nil }
            return NamedValue(name: entry.key, value: value.text, hasSecret: value.hasSecret)
        }
    }

    // MARK: The whole

    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)? {
        guard let node = target else {
            fields.faults.error("an `upload` needs `to: URL`, where the file is sent", at: place)
            return nil
        }
        let url = targetURL(node)
        guard let path, let url else { return nil }
        context.checkAccess(url)
        guard url.origin.scheme != "file" else {
            fields.faults.error("an upload goes to a server; a `file:` URL names none", at: node.place)
            return nil
        }
        if !url.origin.isHTTP, form != nil || method != nil || !statuses.isEmpty || savedResponse != nil {
            fields.faults.error(
                "`form`, `method`, `expect` and `save_response` are for http and https, not for"
                    + " \(url.origin.scheme)", at: place)
        }
        var upload = Upload(
            path: path, at: pathPlace ?? place, target: url, method: method ?? (form == nil ? "PUT" : "POST"),
            form: form)
        upload.statuses = statuses
        upload.savedResponse = savedResponse
        upload.layers = context.layering.layers(for: settings)
        upload.request = context.layering.request(settings, upload.layers, url).sending(upload.method)
        upload.rate = settings.rate
        return (.upload(upload), form == nil ? url.withoutQuery : ExactText("upload \(path)"))
    }

    /// A URL that ends in `/` takes the file's name, as with copies; a form is for the URL itself.
    private func targetURL(_ node: Node) -> SourceURL? {
        guard let text = fields.text(node, "to") else { return nil }
        guard text.utf8.last == UInt8(ascii: "/"), form == nil, let path else {
            return fields.url(text, at: node.place)
        }
        return fields.url(text + Self.encoded(path.name), at: node.place)
    }

    /// A name as a part of a URL's path (RFC 3986, section 2.3).
    private static func encoded(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension SourceURL {
    /// The URL up to its query, which may hold a signature that is another every time.
    fileprivate var withoutQuery: ExactText {
        ExactText(String(decoding: url.text.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self))
    }
}

extension SharedValue where Value == RequestFields {
    /// The same request with another method, and without a body of its own.
    fileprivate func sending(_ method: String) -> RequestSettings {
        changing { fields in
            fields.method = method
            fields.body = nil
        }
    }
}
