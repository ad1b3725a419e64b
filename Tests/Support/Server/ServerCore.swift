import Glibc
import Synchronization

/// What the threads of one server share: files, scripts, and the record of what happened.
final class ServerCore: Sendable {
    private struct State {
        var files: [String: ServedFile] = [:]
        var routes: [Route] = []
        var hits: [Int] = []
        var folder: String?
        var live: [Int: Int32] = [:]
        var created = 0
        var bytesSent = 0
        var isStopping = false
        var replyToExpectations: String?
    }

    private let state = Mutex(State())
    let requests = EventLog<RecordedRequest>()
    let tls: TLSContext?

    init(tls: TLSContext?) {
        self.tls = tls
    }

    // MARK: What is served

    func setFile(_ path: String, _ file: ServedFile?) {
        state.withLock { $0.files[path] = file }
    }

    func setFolder(_ folder: String) {
        state.withLock { $0.folder = folder }
    }

    func add(_ route: Route) {
        state.withLock { state in
            state.routes.append(route)
            state.hits.append(0)
        }
    }

    var replyToExpectations: String? { state.withLock { $0.replyToExpectations } }

    func answerExpectations(with status: String) {
        state.withLock { $0.replyToExpectations = status }
    }

    /// Records a request that was answered before its body.
    func note(_ request: RecordedRequest) {
        var request = request
        request.isAnswered = true
        requests.append(request)
    }

    /// Records a request and finds its reply: the first script whose conditions and count fit.
    func answer(_ request: RecordedRequest) -> (index: Int, reply: Reply) {
        let (steps, file, folder) = state.withLock { state in
            var steps: [Step]?
            for (index, route) in state.routes.enumerated() where route.fits(request) {
                state.hits[index] += 1
                if steps == nil, route.nth?.contains(state.hits[index]) ?? true { steps = route.steps }
            }
            return (steps ?? [], state.files[request.path], state.folder)
        }
        let served = file ?? folder.flatMap { FolderFile.find(request.path, in: $0) }
        var index = 0
        requests.change { list in
            index = list.count
            list.append(request)
        }
        return (index, Reply(to: request, for: served, by: steps))
    }

    func sent(_ count: Int, for index: Int) {
        state.withLock { $0.bytesSent += count }
        requests.change { $0[index].sent += count }
    }

    func answered(_ index: Int) {
        requests.change { $0[index].isAnswered = true }
    }

    // MARK: Connections

    var liveConnections: Int { state.withLock { $0.live.count } }
    var createdConnections: Int { state.withLock { $0.created } }
    var bytesSent: Int { state.withLock { $0.bytesSent } }

    /// Serves one accepted socket on a thread of its own; closes it when the server is stopping.
    func serve(_ descriptor: Int32) {
        let number: Int? = state.withLock { state in
            if state.isStopping { return nil }
            state.created += 1
            state.live[state.created] = descriptor
            return state.created
        }
        guard let number else {
            close(descriptor)
            return
        }
        do throws(SystemFailure) {
            try NativeThread { self.run(number, descriptor) }.detach()
        } catch {
            finish(number) { close(descriptor) }
        }
    }

    private func run(_ number: Int, _ descriptor: Int32) {
        var channel: any Channel = PlainChannel(descriptor)
        if let tls {
            guard let secured = TLSChannel(descriptor, tls) else {
                finish(number) { close(descriptor) }
                return
            }
            channel = secured
        }
        Connection(number, channel, self).serve()
        finish(number) { channel.dispose() }
    }

    /// Forgets and closes a connection under the lock, so that `stop` never touches a number used anew.
    private func finish(_ number: Int, closing: () -> Void) {
        state.withLock { state in
            state.live[number] = nil
            closing()
        }
    }

    /// Ends all connections and takes no further ones.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            for descriptor in state.live.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}

/// Finds the file behind a path of a served folder.
enum FolderFile {
    /// The file at `path` below `folder`; `nil` when there is none or the path leads out of it.
    static func find(_ path: String, in folder: String) -> ServedFile? {
        let parts = path.split(separator: "/").map { decode($0) }
        guard !parts.isEmpty, !parts.contains("..") else { return nil }
        let full = folder + "/" + parts.joined(separator: "/")
        var status = stat()
        guard stat(full, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return ServedFile(.file(path: full, count: Int(status.st_size)), modified: Int(status.st_mtim.tv_sec))
    }

    /// Undoes percent-encoding.
    private static func decode(_ part: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(part.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(min(2, rest.count))
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
