internal import CLibCurl

/// What a transfer tells its owner; called on the thread that drives the multi handle.
package protocol EasyDelegate: AnyObject {
    /// One line of a reply's head, with its line end; status lines, fields and the empty line alike.
    func received(headerLine: UnsafeRawBufferPointer) -> ReceiveAction
    /// A piece of the body.
    func received(body: UnsafeRawBufferPointer) -> ReceiveAction
}

/// The body of a request, read piece by piece; called on the thread that drives the multi handle.
package protocol EasyBody: AnyObject {
    /// Puts the next bytes into the buffer; 0 at the end, nil when they cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
    /// Begins anew at this byte, as libcurl does when it has to send the body again; false when that is impossible.
    func seek(to offset: Int64) -> Bool
}

/// What libcurl is to do after a callback.
package enum ReceiveAction {
    case proceed
    /// Keep this piece and deliver it again after ``EasyHandle/resume()``.
    case pause
    /// End the transfer with `CURLE_WRITE_ERROR`.
    case abort
}

/// One transfer of libcurl.
///
/// Belongs to one thread. The C side keeps an unretained pointer to this object, so the object must outlive its
/// stay in a ``MultiHandle``, which retains it for that long.
package final class EasyHandle {
    let pointer: OpaquePointer
    /// Held until it is taken away or the handle is reset: a weak reference costs too much to look at for each line of a
    /// head.
    package var delegate: (any EasyDelegate)?

    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// Lists that libcurl reads from as long as they are set, by their option.
    private var lists: [CURLoption.RawValue: UnsafeMutablePointer<curl_slist>] = [:]
    fileprivate var body: (any EasyBody)?
    private var form: FormHandle?
    /// What a proxy answered to CONNECT last, where ``collectTunnelHead()`` was called: its head, line by line.
    package fileprivate(set) var tunnelHead: [UInt8] = []
    private static let longestTunnelHead = 64 << 10

    package init() throws(CurlError) {
        guard let easy = curl_easy_init() else {
            throw CurlError(.easy, code: Int32(CURLE_FAILED_INIT.rawValue), call: "curl_easy_init")
        }
        pointer = OpaquePointer(easy)
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try prepare()
    }

    deinit {
        curl_easy_cleanup(easy)
        for list in lists.values { curl_slist_free_all(list) }
        errorBuffer.deallocate()
    }

    var easy: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

    /// Takes all options back to their defaults; open connections and caches stay.
    package func reset() throws(CurlError) {
        curl_easy_reset(easy)
        for list in lists.values { curl_slist_free_all(list) }
        lists = [:]
        delegate = nil
        body = nil
        form = nil
        tunnelHead = []
        try prepare()
    }

    /// Keeps all options but the URL for a further transfer.
    package func prepareAgain(url: String) throws(CurlError) {
        errorBuffer[0] = 0
        tunnelHead = []
        try set(.url(url))
    }

    /// Sends a body with the request: `CURLOPT_UPLOAD` with the method of ``EasyOption/method(_:)``.
    ///
    /// - Parameter length: bytes that ``EasyBody`` will give.
    package func setBody(_ body: any EasyBody, length: Int64) throws(CurlError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        self.body = body
        try check(runner_curl_set_context(easy, CURLOPT_READDATA, context), "CURLOPT_READDATA")
        try check(runner_curl_set_context(easy, CURLOPT_SEEKDATA, context), "CURLOPT_SEEKDATA")
        try check(runner_curl_set_data_callback(easy, CURLOPT_READFUNCTION, readBody), "CURLOPT_READFUNCTION")
        try check(runner_curl_set_seek_callback(easy, CURLOPT_SEEKFUNCTION, seekBody), "CURLOPT_SEEKFUNCTION")
        try check(runner_curl_set_long(easy, CURLOPT_UPLOAD, 1), "CURLOPT_UPLOAD")
        try check(
            runner_curl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(length)), "CURLOPT_INFILESIZE_LARGE")
    }

    /// Sends a form with the request, by POST unless ``EasyOption/method(_:)`` says otherwise.
    package func setForm(_ form: EasyForm) throws(CurlError) {
        let handle = try FormHandle(form, for: easy)
        try handle.attach(to: easy)
        self.form = handle
    }

    /// Keeps the head of a proxy's answer to CONNECT.
    ///
    /// The other callbacks cannot tell it from the head of a reply, so that `CURLOPT_SUPPRESS_CONNECT_HEADERS` keeps it
    /// from them; CURLOPT_DEBUGFUNCTION(3) gets it all the same.
    package func collectTunnelHead() throws(CurlError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(runner_curl_set_context(easy, CURLOPT_DEBUGDATA, context), "CURLOPT_DEBUGDATA")
        try check(runner_curl_set_debug_callback(easy, noteHeadLine), "CURLOPT_DEBUGFUNCTION")
        try check(runner_curl_set_long(easy, CURLOPT_VERBOSE, 1), "CURLOPT_VERBOSE")
    }

    fileprivate func note(headLine line: UnsafeRawBufferPointer) {
        // Behind the tunnel it is the server that answers.
        guard requestTime == nil else { return }
        if line.starts(with: "HTTP/".utf8) { tunnelHead = [] }
        if tunnelHead.count + line.count <= Self.longestTunnelHead { tunnelHead += line }
    }

    /// Sets what every transfer has: callbacks, the error text, and no signals (libcurl-thread(3)).
    private func prepare() throws(CurlError) {
        errorBuffer[0] = 0
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(runner_curl_set_error_buffer(easy, errorBuffer), "CURLOPT_ERRORBUFFER")
        try check(runner_curl_set_long(easy, CURLOPT_NOSIGNAL, 1), "CURLOPT_NOSIGNAL")
        try check(runner_curl_set_context(easy, CURLOPT_PRIVATE, context), "CURLOPT_PRIVATE")
        try check(runner_curl_set_context(easy, CURLOPT_WRITEDATA, context), "CURLOPT_WRITEDATA")
        try check(runner_curl_set_context(easy, CURLOPT_HEADERDATA, context), "CURLOPT_HEADERDATA")
        try check(
            runner_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, receiveBody), "CURLOPT_WRITEFUNCTION")
        try check(
            runner_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeaderLine), "CURLOPT_HEADERFUNCTION")
        if ConnectionEnds.isHeeded {
            try check(runner_curl_set_tls_callback(easy, ConnectionEnds.listen), "CURLOPT_SSL_CTX_FUNCTION")
        }
    }

    /// Sets one option.
    ///
    /// - Throws: what libcurl says of it; an option that this build of libcurl lacks is an error, never ignored.
    package func set(_ option: EasyOption) throws(CurlError) {
        switch option.value {
        case .number(let number): try check(runner_curl_set_long(easy, option.option, number), option.name)
        case .offset(let offset):
            try check(runner_curl_set_offset(easy, option.option, curl_off_t(offset)), option.name)
        case .text(let text): try check(runner_curl_set_text(easy, option.option, text), option.name)
        case .lines(let lines): try setList(lines, option)
        }
    }

    private func setList(_ lines: [String], _ option: EasyOption) throws(CurlError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw CurlError(.easy, code: Int32(CURLE_OUT_OF_MEMORY.rawValue), call: "curl_slist_append")
            }
            list = longer
        }
        try check(runner_curl_set_list(easy, option.option, list), option.name)
        curl_slist_free_all(lists[option.option.rawValue])
        lists[option.option.rawValue] = list
    }

    /// Lets a transfer that a callback paused go on.
    package func resume() throws(CurlError) {
        try check(curl_easy_pause(easy, CURLPAUSE_CONT), "curl_easy_pause")
    }

    /// libcurl's own sentence about the last failure; empty when it has none.
    package var errorText: String { String(cString: errorBuffer) }

    private func check(_ code: CURLcode, _ call: String) throws(CurlError) {
        guard code == CURLE_OK else { throw CurlError(.easy, code: Int32(code.rawValue), call: call) }
    }

    /// The handle that owns a C easy pointer, by the private pointer that ``prepare()`` stored.
    static func owner(of easy: UnsafeMutableRawPointer?) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        guard let easy, runner_curl_get_context(easy, &context) == CURLE_OK, let context else { return nil }
        return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }
}

private func receive(
    _ data: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ deliver: (any EasyDelegate, UnsafeRawBufferPointer) -> ReceiveAction
) -> Int {
    guard let context else { return 0 }
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    guard let delegate = handle.delegate else { return Int(CURL_WRITEFUNC_ERROR) }
    switch deliver(delegate, UnsafeRawBufferPointer(start: data, count: count)) {
    case .proceed: return count
    case .pause: return Int(CURL_WRITEFUNC_PAUSE)
    case .abort: return Int(CURL_WRITEFUNC_ERROR)
    }
}

private let receiveBody: runner_curl_data_callback = { data, size, count, context in
    receive(data, size * count, context) { $0.received(body: $1) }
}

private let receiveHeaderLine: runner_curl_data_callback = { data, size, count, context in
    receive(data, size * count, context) { $0.received(headerLine: $1) }
}

private let noteHeadLine: runner_curl_debug_callback = { _, kind, data, count, context in
    guard kind == CURLINFO_HEADER_IN, let context, let data else { return 0 }
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    handle.note(headLine: UnsafeRawBufferPointer(start: data, count: count))
    return 0
}

private let readBody: runner_curl_data_callback = { data, size, count, context in
    guard let context, let data else { return Int(CURL_READFUNC_ABORT) }
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
    return handle.body?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
}

private let seekBody: runner_curl_seek_callback = { context, offset, origin in
    guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    return handle.body?.seek(to: Int64(offset)) == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
