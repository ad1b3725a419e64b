internal import CLibCurl

/// A body of type `multipart/form-data` (RFC 7578), which libcurl writes with a random boundary (curl_mime_init(3)).
package struct EasyForm {
    /// One field of the form.
    package struct Part {
        /// What the field holds.
        package enum Content {
            case text([UInt8])
            /// Read piece by piece; `length` bytes.
            case stream(any EasyBody, length: Int64)
        }

        package var name: String
        /// Name that the server is told of a file; libcurl escapes it.
        package var fileName: String?
        package var contentType: String?
        /// Further header lines of the part, `Name: value`.
        package var headers: [String]
        package var content: Content

        package init(
            name: String, fileName: String? = nil, contentType: String? = nil, headers: [String] = [],
            content: Content
        ) {
            self.name = name
            self.fileName = fileName
            self.contentType = contentType
            self.headers = headers
            self.content = content
        }
    }

    package var parts: [Part]

    package init(parts: [Part]) {
        self.parts = parts
    }
}

/// The C side of a form; belongs to one easy handle, and must outlive the transfer.
final class FormHandle {
    private let mime: OpaquePointer
    /// The C side has an unretained pointer to each.
    private var streams: [FormStream] = []

    init(_ form: EasyForm, for easy: UnsafeMutableRawPointer) throws(CurlError) {
        guard let mime = curl_mime_init(easy) else {
            throw CurlError(.easy, code: Int32(CURLE_OUT_OF_MEMORY.rawValue), call: "curl_mime_init")
        }
        self.mime = mime
        for part in form.parts { try add(part) }
    }

    deinit {
        curl_mime_free(mime)
    }

    func attach(to easy: UnsafeMutableRawPointer) throws(CurlError) {
        try check(runner_curl_set_form(easy, mime), "CURLOPT_MIMEPOST")
    }

    private func add(_ part: EasyForm.Part) throws(CurlError) {
        guard let slot = curl_mime_addpart(mime) else {
            throw CurlError(.easy, code: Int32(CURLE_OUT_OF_MEMORY.rawValue), call: "curl_mime_addpart")
        }
        try check(curl_mime_name(slot, part.name), "curl_mime_name")
        switch part.content {
        case .text(let bytes):
            let code = bytes.withUnsafeBytes { raw in
                curl_mime_data(slot, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
            }
            try check(code, "curl_mime_data")
        case .stream(let body, let length):
            let stream = FormStream(body)
            streams.append(stream)
            let context = Unmanaged.passUnretained(stream).toOpaque()
            try check(
                curl_mime_data_cb(slot, curl_off_t(length), readFormStream, seekFormStream, nil, context),
                "curl_mime_data_cb")
        }
        if let name = part.fileName { try check(curl_mime_filename(slot, name), "curl_mime_filename") }
        if let type = part.contentType { try check(curl_mime_type(slot, type), "curl_mime_type") }
        try addHeaders(part.headers, to: slot)
    }

    private func addHeaders(_ lines: [String], to slot: OpaquePointer) throws(CurlError) {
        guard !lines.isEmpty else { return }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw CurlError(.easy, code: Int32(CURLE_OUT_OF_MEMORY.rawValue), call: "curl_slist_append")
            }
            list = longer
        }
        // The last argument gives the list to the part, which frees it.
        try check(curl_mime_headers(slot, list, 1), "curl_mime_headers")
    }

    private func check(_ code: CURLcode, _ call: String) throws(CurlError) {
        guard code == CURLE_OK else { throw CurlError(.easy, code: Int32(code.rawValue), call: call) }
    }
}

/// Keeps a body at an address that the C side can point to.
final class FormStream {
    let body: any EasyBody

    init(_ body: any EasyBody) {
        self.body = body
    }
}

private let readFormStream: runner_curl_data_callback = { data, size, count, context in
    guard let context, let data else { return Int(CURL_READFUNC_ABORT) }
    let stream = Unmanaged<FormStream>.fromOpaque(context).takeUnretainedValue()
    let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
    return stream.body.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
}

private let seekFormStream: runner_curl_seek_callback = { context, offset, origin in
    guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
    let stream = Unmanaged<FormStream>.fromOpaque(context).takeUnretainedValue()
    return stream.body.seek(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
