import Glibc
import Synchronization

/// Reads one request to the empty line behind its head, however long that is, and answers with 204, or not at all
/// until the client goes.
package final class LongRequestServer: Sendable {
    package let port: Int
    private let socket: ListeningSocket
    private let reader: NativeThread
    private let count: Count

    private final class Count: Sendable {
        let value = Mutex(0)
    }

    package init(underTLS: Bool = false, answers: Bool = true) throws(SystemFailure) {
        let context = underTLS ? try TLSContext(.valid, negotiation: .http11) : nil
        let (socket, count) = (try ListeningSocket(ipv6: false), Count())
        (self.socket, self.count, port) = (socket, count, socket.port)
        reader = try NativeThread {
            guard let descriptor = socket.accept() else { return }
            guard let channel = channel(over: descriptor, context) else {
                close(descriptor)
                return
            }
            defer { channel.dispose() }
            var end: [UInt8] = []
            while !end.elementsEqual([13, 10, 13, 10]) {
                let bytes = channel.read(1 << 20)
                if bytes.isEmpty { return }
                count.value.withLock { $0 += bytes.count }
                end = Array((end + bytes.suffix(4)).suffix(4))
            }
            if answers {
                _ = channel.write(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)[...])
            } else {
                while !channel.read(1 << 10).isEmpty {}
            }
        }
    }

    deinit {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        reader.join()
        close(socket.descriptor)
    }

    /// Bytes that have come.
    package var received: Int { count.value.withLock { $0 } }
}

private func channel(over descriptor: Int32, _ context: TLSContext?) -> (any Channel)? {
    guard let context else { return PlainChannel(descriptor) }
    return TLSChannel(descriptor, context)
}
