import LibCurl

/// The way over a connection of TLS that libcurl has opened: it reads and writes the records, and nothing else.
///
/// Belongs to the network thread. The connection is closed when nobody has it any more.
final class TLSLink {
    /// What may be left of what has come, and no socket tells of.
    private enum Rest {
        /// Nothing: the socket will tell of more.
        case none
        /// Perhaps a part of a record, or further records.
        case perhaps
        /// A byte that was looked at, and perhaps more.
        case byte(UInt8)
        /// How the connection has ended, behind bytes that were handed over.
        case end(PlainConnection.Transit)
    }

    private let handle: EasyHandle
    private let multi: MultiHandle
    private var rest = Rest.none

    init(_ handle: EasyHandle, in multi: MultiHandle) {
        self.handle = handle
        self.multi = multi
    }

    deinit { multi.remove(handle) }

    /// Whether there may be something to receive that the socket does not tell of.
    var holdsMore: Bool {
        if case .none = rest { return false }
        return true
    }

    /// Whether the server has agreed on HTTP/1.1; one that answers nothing to the offer may know HTTP/2 alone.
    ///
    /// What has come with the handshake is taken from the socket by this, and ``holdsMore`` then.
    func agreesOnHTTP11() -> Bool {
        // libcurl has to have looked for the connection before it can tell of it.
        _ = peek()
        return handle.speaksHTTP11
    }

    /// OpenSSL's connection; nil with another library.
    var tlsConnection: UInt? { handle.tlsConnection }

    func send(_ bytes: UnsafeRawBufferPointer) -> PlainConnection.Sending {
        switch handle.send(bytes) {
        case .moved(let count): .moved(count)
        case .wait: .wait
        case .failed(let code): .failed(TransportFailure(handle, code: code))
        }
    }

    /// - Parameter fills: whether records are read until there is no room left or no record; else one is.
    func receive(into buffer: UnsafeMutableRawBufferPointer, fills: Bool) -> PlainConnection.Transit {
        var count = 0
        switch rest {
        case .none, .perhaps: break
        case .byte(let byte):
            buffer[0] = byte
            count = 1
        case .end(let end): return end
        }
        while count < buffer.count {
            let transit = transit(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            guard case .moved(let more) = transit else { return end(transit, behind: count) }
            count += more
            if !fills { break }
        }
        rest = .perhaps
        return .moved(count)
    }

    /// Reading has come to an end, behind bytes that are to be handed over first.
    private func end(_ transit: PlainConnection.Transit, behind count: Int) -> PlainConnection.Transit {
        if case .wait = transit { rest = .none } else { rest = .end(transit) }
        return count > 0 ? .moved(count) : transit
    }

    /// Looks at what is to be received next, and leaves it there.
    func peek() -> PlainConnection.Transit {
        switch rest {
        case .none, .perhaps: break
        case .byte: return .moved(1)
        case .end(let end): return end
        }
        var byte: UInt8 = 0
        let transit = withUnsafeMutableBytes(of: &byte) { receive(into: $0, fills: false) }
        if case .moved = transit { rest = .byte(byte) }
        return transit
    }

    private func transit(into buffer: UnsafeMutableRawBufferPointer) -> PlainConnection.Transit {
        switch handle.receive(into: buffer) {
        case .moved(0): .closed
        case .moved(let count): .moved(count)
        case .wait: .wait
        case .failed(let code): .failed(TransportFailure(handle, code: code))
        }
    }
}
