/// Sends one reply, faults and all, over a channel.
struct ReplyWriter {
    /// What is to become of the connection.
    enum Result {
        case keep
        case close
        case broken(Ending)
    }

    let channel: any Channel
    let reply: Reply
    /// Is told of body bytes as they are handed to the system.
    let sent: (Int) -> Void

    func run() -> Result {
        for wait in reply.waits where wait.after == nil {
            guard channel.wait(gate: wait.gate, milliseconds: -1) else { return .broken(.fin) }
        }
        if let instead = reply.instead {
            _ = channel.write(instead.bytes[...])
            return .broken(instead.by)
        }
        let head = reply.head
        if let cut = reply.cutHead {
            _ = channel.write(head.prefix(cut.after))
            return .broken(cut.by)
        }
        guard channel.write(head[...]) else { return .broken(.fin) }
        if let broken = sendBody() { return broken }
        if let cut = reply.cut { return .broken(cut.by) }
        switch reply.afterwards {
        case .keep: return .keep
        case .keepWithTicket(let gate):
            (channel as? TLSChannel)?.sendTicket()
            gate.open()
            return .keep
        case .close, .closeUnannounced: return .close
        }
    }

    /// Sends the body in pieces that end wherever the script has something to do.
    private func sendBody() -> Result? {
        let end = min(reply.count, reply.cut?.after ?? .max)
        var waits = reply.waits.filter { $0.after != nil }[...]
        var done = 0
        while true {
            if let wait = waits.first, (wait.after ?? 0) <= done {
                waits.removeFirst()
                guard channel.wait(gate: wait.gate, milliseconds: -1) else { return .broken(.fin) }
                continue
            }
            if case .chunked(_, .badLine(let after)) = reply.framing, done >= after {
                _ = channel.write(Array("this is no chunk size\r\n".utf8)[...])
                return .close
            }
            if done == reply.urgentAfter { channel.sendUrgentByte() }
            guard done < end else { break }
            let stops = [waits.first?.after, reply.urgentAfter].compactMap(\.self).filter { $0 > done }
            let size = pieceSize(done: done, end: end, nextStop: stops.min())
            guard sendPiece(at: done, size: size) else { return .broken(.fin) }
            done += size
            guard pause() else { return .broken(.fin) }
        }
        if case .chunked(_, nil) = reply.framing, reply.cut == nil, !reply.isBodiless {
            let trailer = reply.trailer.map { "\($0.name): \($0.value)\r\n" }.joined()
            guard channel.write(Array("0\r\n\(trailer)\r\n".utf8)[...]) else { return .broken(.fin) }
        }
        return nil
    }

    private func pieceSize(done: Int, end: Int, nextStop: Int?) -> Int {
        var size = min(end - done, 262_144)
        if let nextStop { size = min(size, nextStop - done) }
        if let pace = reply.bytesPerSecond { size = min(size, max(1, pace / 20)) }
        if case .chunked(let chunk, let fault) = reply.framing {
            size = min(size, chunk)
            if case .badLine(let after) = fault { size = min(size, max(1, after - done)) }
        }
        return size
    }

    private func sendPiece(at done: Int, size: Int) -> Bool {
        let bytes = reply.content.read(from: reply.start + done, count: size)
        if case .chunked = reply.framing {
            let line = Array((String(size, radix: 16) + "\r\n").utf8)
            guard channel.write((line + bytes + [13, 10])[...]) else { return false }
        } else {
            guard channel.write(bytes[...]) else { return false }
        }
        sent(size)
        return true
    }

    /// Keeps the pace: at most twenty pieces a second, or one byte at a time when that is too fast.
    private func pause() -> Bool {
        guard let pace = reply.bytesPerSecond else { return true }
        let milliseconds = pace >= 20 ? 50 : 1000 / pace
        return channel.wait(gate: nil, milliseconds: Int32(milliseconds))
    }
}
