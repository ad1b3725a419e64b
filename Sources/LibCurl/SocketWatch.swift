internal import CLibCurl

/// What libcurl waits for: sockets, and one point in time (curl_multi_socket_action(3)); and sockets of others beside them.
///
/// libcurl tells changes as they happen, so that a round costs what has happened in it and not what is open.
final class SocketWatch {
    /// A socket at which something has happened.
    struct Ready {
        var socket: Int32
        var events: Int32
    }

    private enum Wish {
        case watched
        /// libcurl wants to hear of it no more, but the set still holds it: the next request on a connection that is
        /// kept takes it up again, and only where something happens meanwhile is it taken out.
        case idle
        /// It is not libcurl's.
        case foreign
    }

    private let set: Int32
    private let wakeup: Int32
    /// What epoll_wait(2) writes to.
    private let found = UnsafeMutableBufferPointer<runner_ready>.allocate(capacity: 64)
    private var wishes: [Int32: Wish] = [:]
    private var deadline: ContinuousClock.Instant?
    private var heard: [Int32] = []

    /// - Parameter wakeup: a descriptor of eventfd(2) that ends a wait.
    init(wakeup: Int32) throws(CurlError) {
        set = runner_watch_open()
        self.wakeup = wakeup
        guard set >= 0, runner_watch_set(set, wakeup, CURL_POLL_IN) == 0 else {
            throw CurlError(.multi, code: CURLM_OUT_OF_MEMORY.rawValue, call: "epoll_create1")
        }
    }

    deinit {
        if set >= 0 { close(set) }
        found.deallocate()
    }

    // MARK: - What libcurl tells

    /// - Returns: whether the system took it; libcurl ends the transfer otherwise.
    func note(_ socket: Int32, _ what: Int32) -> Bool {
        guard what != CURL_POLL_REMOVE else {
            if wishes[socket] != nil { wishes[socket] = .idle }
            return true
        }
        wishes[socket] = .watched
        return runner_watch_set(set, socket, what) == 0
    }

    /// - Parameter milliseconds: until libcurl wants to be called in any case; -1 for never.
    func note(timer milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
    }

    // MARK: - Sockets of others

    func listen(to socket: Int32, sends: Bool) -> Bool {
        wishes[socket] = .foreign
        return runner_watch_set(set, socket, sends ? CURL_POLL_INOUT : CURL_POLL_IN) == 0
    }

    func ignore(_ socket: Int32) {
        wishes[socket] = nil
        runner_watch_remove(set, socket)
    }

    func takeHeard() -> [Int32] {
        defer { heard.removeAll(keepingCapacity: true) }
        return heard
    }

    // MARK: - Waiting

    /// Whether the time has come that libcurl has asked for; it is not asked for again.
    func takeTimer() -> Bool {
        guard let deadline, deadline <= .now else { return false }
        self.deadline = nil
        return true
    }

    /// Waits for sockets, for libcurl's point in time, for a wake-up, and no longer than so many milliseconds.
    ///
    /// - Returns: whether it was woken.
    func wait(milliseconds: Int32, adding ready: inout [Ready]) -> Bool {
        var time = milliseconds
        if let deadline {
            let rest = deadline - .now
            // Rounded up, so that the time has come when the wait is over.
            let whole =
                rest.components.seconds * 1000 + (rest.components.attoseconds + 999_999_999_999_999)
                / 1_000_000_000_000_000
            time = Int32(max(0, min(Int64(milliseconds), whole)))
        }
        var isWoken = false
        let count = Int(runner_watch_wait(set, found.baseAddress, Int32(found.count), time))
        for event in found.prefix(count) {
            if event.descriptor == wakeup {
                isWoken = true
                continue
            }
            switch wishes[event.descriptor] {
            case .watched: ready.append(Ready(socket: event.descriptor, events: event.events))
            case .foreign: heard.append(event.descriptor)
            case .idle, nil: ignore(event.descriptor)
            }
        }
        return isWoken
    }
}
