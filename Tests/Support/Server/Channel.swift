import Glibc

/// The poll(2) flag POLLRDHUP, which Glibc's module does not show: the peer has ended its sending side.
private let peerClosed: Int16 = 0x2000

/// A connection's bytes, plain or under TLS.
protocol Channel: AnyObject {
    /// The socket, for `poll` and `shutdown`.
    var descriptor: Int32 { get }
    /// Reads up to so many bytes; empty at the end or after an error.
    func read(_ limit: Int) -> [UInt8]
    /// Writes all bytes; `false` when the peer is gone.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool
    /// Ends the sending side in the orderly way of the protocol.
    func finish()
    /// Frees what the channel holds and closes the socket.
    func dispose()
}

extension Channel {
    /// Closes without the orderly end: a bare FIN, or a reset.
    func breakOff(_ ending: Ending) {
        switch ending {
        case .fin:
            shutdown(descriptor, Int32(SHUT_WR))
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// Sends a byte that is none of the stream, and that the stream is marked at (tcp(7)).
    func sendUrgentByte() {
        var byte: UInt8 = 0
        send(descriptor, &byte, 1, Int32(MSG_OOB | MSG_NOSIGNAL))
    }

    /// Waits until the gate opens or the time is over; `false` when the peer or the server has gone meanwhile.
    func wait(gate: Gate?, milliseconds: Int32) -> Bool {
        var watched = [pollfd(fd: descriptor, events: peerClosed, revents: 0)]
        if let gate { watched.append(pollfd(fd: gate.descriptor, events: Int16(POLLIN), revents: 0)) }
        while poll(&watched, nfds_t(watched.count), milliseconds) < 0, errno == EINTR {}
        return watched[0].revents == 0
    }
}

/// A connection without encryption.
final class PlainChannel: Channel {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    func read(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var got = recv(descriptor, buffer.baseAddress, limit, 0)
            while got < 0, errno == EINTR { got = recv(descriptor, buffer.baseAddress, limit, 0) }
            count = max(0, got)
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                let count = send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func dispose() {
        close(descriptor)
    }
}
