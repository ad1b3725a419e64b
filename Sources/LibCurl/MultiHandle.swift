internal import CLibCurl

/// Many transfers on one thread (libcurl-multi(3)).
///
/// Belongs to one thread, but for ``MultiWakeup``.
package final class MultiHandle {
    private let multi: UnsafeMutableRawPointer
    /// Keeps the handles alive while libcurl holds their C pointers.
    private var handles: [ObjectIdentifier: EasyHandle] = [:]
    private let watch: SocketWatch
    /// Sockets at which something has happened since the last ``perform()``.
    private var ready: [SocketWatch.Ready] = []
    /// Ends another thread's ``poll(milliseconds:)``; valid for as long as this handle lives.
    package let wakeup: MultiWakeup

    package init() throws(CurlError) {
        try CurlLibrary.initialize()
        // libcurl's own wake-up does nothing, and says so too late, where its pair of sockets could not be made.
        wakeup = MultiWakeup(event: runner_wakeup_open())
        guard wakeup.event >= 0 else {
            throw CurlError(.multi, code: CURLM_OUT_OF_MEMORY.rawValue, call: "eventfd")
        }
        do throws(CurlError) {
            watch = try SocketWatch(wakeup: wakeup.event)
        } catch {
            close(wakeup.event)
            throw error
        }
        guard let multi = curl_multi_init() else {
            close(wakeup.event)
            throw CurlError(.multi, code: CURLM_OUT_OF_MEMORY.rawValue, call: "curl_multi_init")
        }
        self.multi = multi
        // The watch lives until curl_multi_cleanup has returned, and so do the calls.
        let context = Unmanaged.passUnretained(watch).toOpaque()
        try check(runner_curl_multi_set_context(multi, CURLMOPT_SOCKETDATA, context), "CURLMOPT_SOCKETDATA")
        try check(runner_curl_multi_set_context(multi, CURLMOPT_TIMERDATA, context), "CURLMOPT_TIMERDATA")
        try check(runner_curl_multi_set_socket_callback(multi, socketChanged), "CURLMOPT_SOCKETFUNCTION")
        try check(runner_curl_multi_set_timer_callback(multi, timerChanged), "CURLMOPT_TIMERFUNCTION")
    }

    deinit {
        for handle in handles.values { curl_multi_remove_handle(multi, handle.easy) }
        curl_multi_cleanup(multi)
        close(wakeup.event)
    }

    /// Ends a transfer that was to connect and nothing else (CURLOPT_CONNECT_ONLY(3)), and takes its connection.
    ///
    /// A descriptor of its own: libcurl closes the one that it has whenever it thinks that nobody uses the connection
    /// (`extract_if_dead` in its lib/url.c).
    /// - Returns: a non-blocking socket that the caller closes; nil where the connection is gone already.
    package func takeSocket(of handle: EasyHandle) -> Int32? {
        defer { remove(handle) }
        guard let socket = handle.activeSocket else { return nil }
        let own = runner_socket_copy(socket)
        // What epoll watches is the connection, which does not end when libcurl closes its descriptor (epoll(7)).
        watch.ignore(socket)
        return own < 0 ? nil : own
    }

    /// The socket of a transfer that was to connect and nothing else, and has, for ``listen(to:sends:)``.
    ///
    /// Bytes go over it by ``EasyHandle/send(_:)`` and ``EasyHandle/receive(into:)``, and libcurl closes it when the
    /// handle is removed. Until the first of them has been called, libcurl may close it whenever it looks for connections
    /// that nobody uses (`extract_if_dead` in its lib/url.c).
    /// - Returns: nil where the connection is gone already.
    package func socket(of handle: EasyHandle) -> Int32? { handle.activeSocket }

    /// Hears of a socket that is not libcurl's, until ``ignore(_:)``; its owner closes it only after that.
    ///
    /// - Parameter sends: whether it matters that more can be sent, and not only that something has come.
    /// - Returns: whether the system took it.
    package func listen(to socket: Int32, sends: Bool = false) -> Bool { watch.listen(to: socket, sends: sends) }

    package func ignore(_ socket: Int32) { watch.ignore(socket) }

    /// The sockets that are not libcurl's at which something has happened since this was last asked.
    package func takeHeard() -> [Int32] { watch.takeHeard() }

    /// Transfers that are under way.
    package var count: Int { handles.count }

    /// Connections that stay open for further use.
    package func setConnectionCache(_ count: Int) throws(CurlError) {
        try check(runner_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, count), "CURLMOPT_MAXCONNECTS")
    }

    /// Streams of one HTTP/2 connection.
    package func setConcurrentStreams(_ count: Int) throws(CurlError) {
        try check(
            runner_curl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, count),
            "CURLMOPT_MAX_CONCURRENT_STREAMS")
    }

    package func add(_ handle: EasyHandle) throws(CurlError) {
        try check(curl_multi_add_handle(multi, handle.easy), "curl_multi_add_handle")
        handles[ObjectIdentifier(handle)] = handle
    }

    /// Ends a transfer, or takes one out that has ended; its connection is kept when it can be used again.
    package func remove(_ handle: EasyHandle) {
        guard handles[ObjectIdentifier(handle)] != nil else { return }
        curl_multi_remove_handle(multi, handle.easy)
        handles[ObjectIdentifier(handle)] = nil
    }

    /// Does what can be done without waiting.
    package func perform() throws(CurlError) {
        var running: Int32 = 0
        defer { ready.removeAll(keepingCapacity: true) }
        for event in ready {
            try check(
                curl_multi_socket_action(multi, event.socket, event.events, &running), "curl_multi_socket_action")
        }
        if watch.takeTimer() {
            try check(
                curl_multi_socket_action(multi, Int32(runner_curl_no_socket), 0, &running), "curl_multi_socket_action")
        }
    }

    /// Has libcurl look at every transfer, whether or not something has happened for it.
    package func nudge() throws(CurlError) {
        var running: Int32 = 0
        try check(runner_curl_multi_socket_all(multi, &running), "curl_multi_socket_all")
    }

    /// The next transfer that has ended, with its CURLcode; nil when there is none.
    package func nextEnded() -> (handle: EasyHandle, code: Int32)? {
        var queued: Int32 = 0
        while let message = curl_multi_info_read(multi, &queued) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = EasyHandle.owner(of: message.pointee.easy_handle)
            else { continue }
            return (handle, Int32(runner_curl_message_result(message).rawValue))
        }
        return nil
    }

    /// Waits until a transfer can go on, the time is over, or ``MultiWakeup/wake()`` was called.
    package func poll(milliseconds: Int32) {
        if watch.wait(milliseconds: milliseconds, adding: &ready) { wakeup.clear() }
    }

    private func check(_ code: CURLMcode, _ call: String) throws(CurlError) {
        guard code == CURLM_OK else { throw CurlError(.multi, code: code.rawValue, call: call) }
    }
}

/// CURLMOPT_SOCKETFUNCTION(3): called by libcurl inside a call to it, on the thread that the handle belongs to.
private let socketChanged: curl_socket_callback = { _, socket, what, context, _ in
    guard let context else { return -1 }
    return Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue().note(socket, what) ? 0 : -1
}

/// CURLMOPT_TIMERFUNCTION(3): called like the one above.
private let timerChanged: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context else { return -1 }
    Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue().note(timer: milliseconds)
    return 0
}

/// Ends a multi handle's poll from any thread.
package struct MultiWakeup: Sendable {
    /// A descriptor of eventfd(2).
    let event: Int32

    package func wake() {
        var one: UInt64 = 1
        _ = write(event, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(event, &count, 8)
    }
}
