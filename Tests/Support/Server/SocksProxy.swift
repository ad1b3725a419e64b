import Glibc
import Synchronization

/// A SOCKS proxy, version 4, 4a and 5 (RFC 1928, RFC 1929), that leads every request to one server.
package final class SocksProxy: Sendable {
    /// What a client asked for.
    package struct Request: Equatable, Sendable {
        package var version: UInt8
        /// A name, or an address in its digits.
        package var host: String
        package var port: Int
        /// As it was given; nil where none was.
        package var credentials: String?

        package init(version: UInt8, host: String, port: Int, credentials: String? = nil) {
            self.version = version
            self.host = host
            self.port = port
            self.credentials = credentials
        }
    }

    private let listener: RelayListener
    private let record: Record

    private final class Record: Sendable {
        let requests = Mutex<[Request]>([])
    }

    package var port: Int { listener.port }
    package var requests: [Request] { record.requests.withLock { $0 } }

    /// - Parameters:
    ///   - target: Port on 127.0.0.1 of the server that is reached, whatever a client asks for.
    ///   - credentials: `user:password` without which version 5 refuses; nil where nobody is asked.
    package init(to target: Int, credentials: String? = nil) throws(SystemFailure) {
        let record = Record()
        self.record = record
        listener = try RelayListener { { Self.serve($0, target, credentials, record) } }
    }

    private static func serve(_ descriptor: Int32, _ target: Int, _ credentials: String?, _ record: Record) {
        let client = PlainChannel(descriptor)
        defer { client.dispose() }
        var greeting = SocksGreeting(client: client, credentials: credentials)
        guard let request = greeting.request(), let upstream = ByteRelay.connect(to: target) else { return }
        record.requests.withLock { $0.append(request) }
        let server = PlainChannel(upstream)
        defer { server.dispose() }
        guard client.write(SocksGreeting.granted(request.version)[...]),
            let requests = try? NativeThread({ ByteRelay.pass(from: descriptor, to: upstream) })
        else { return }
        ByteRelay.pass(from: upstream, to: descriptor)
        shutdown(descriptor, Int32(SHUT_RDWR))
        requests.join()
    }
}

/// What is said before a proxy passes bytes on.
private struct SocksGreeting {
    let client: PlainChannel
    /// What version 5 wants to be told.
    let credentials: String?
    private var given: String?

    init(client: PlainChannel, credentials: String?) {
        self.client = client
        self.credentials = credentials
    }

    /// What the client asks for; nil where it is refused, or has gone.
    mutating func request() -> SocksProxy.Request? {
        switch bytes(1)?.first {
        case 4: version4()
        case 5: version5()
        default: nil
        }
    }

    static func granted(_ version: UInt8) -> [UInt8] {
        version == 4 ? [0, 0x5A, 0, 0, 0, 0, 0, 0] : [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    }

    private func version4() -> SocksProxy.Request? {
        guard let head = bytes(7), let user = line() else { return nil }
        var host = head[3...].map(String.init).joined(separator: ".")
        // Version 4a: an address of 0.0.0.x stands for a name behind the user.
        if head[3...5].allSatisfy({ $0 == 0 }) {
            guard let name = line() else { return nil }
            host = name
        }
        return SocksProxy.Request(
            version: 4, host: host, port: port(head[1...2]), credentials: user.isEmpty ? nil : user)
    }

    private mutating func version5() -> SocksProxy.Request? {
        guard let count = bytes(1)?.first, let methods = bytes(Int(count)) else { return nil }
        let method: UInt8 = credentials == nil ? 0 : 2
        guard methods.contains(method) else {
            _ = client.write([5, 0xFF])
            return nil
        }
        guard client.write([5, method]), method == 0 || authenticates() else { return nil }
        guard let head = bytes(4), let host = address(head[3]), let port = bytes(2) else { return nil }
        return SocksProxy.Request(version: 5, host: host, port: self.port(port[...]), credentials: given)
    }

    private mutating func authenticates() -> Bool {
        guard let head = bytes(2), let user = bytes(Int(head[1])), let count = bytes(1)?.first,
            let password = bytes(Int(count))
        else { return false }
        let given = String(decoding: user, as: UTF8.self) + ":" + String(decoding: password, as: UTF8.self)
        self.given = given
        return client.write([1, given == credentials ? 0 : 1]) && given == credentials
    }

    private func address(_ kind: UInt8) -> String? {
        switch kind {
        case 1: return bytes(4)?.map(String.init).joined(separator: ".")
        case 3: return bytes(1)?.first.flatMap { bytes(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
        default: return nil
        }
    }

    private func port(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = client.read(count - bytes.count)
            if more.isEmpty { return nil }
            bytes += more
        }
        return bytes
    }

    /// Text up to a zero byte.
    private func line() -> String? {
        var text: [UInt8] = []
        while let byte = bytes(1)?.first {
            if byte == 0 { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        return nil
    }
}
