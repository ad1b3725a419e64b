import LibCurl
import RunnerJob
import RunnerStorage

#if canImport(Glibc)
    import Glibc
#endif

/// What comes over the connections, and where it goes.
extension PlainLane {
    private func takePipe() -> SplicePipe? {
        switch pipe {
        case .ready(let pipe): return pipe
        case .useless: return nil
        case .none:
            let made = try? SplicePipe()
            pipe = made.map { .ready($0) } ?? .useless
            return made
        }
    }

    /// Where the next piece of a reply goes.
    private enum Place {
        /// Into the file, by a pipe, and so many bytes at the most.
        case pipe(SplicePipe, Int)
        /// Into the memory that it is written from.
        case room(UnsafeMutableRawBufferPointer)
        /// To where it is looked at, since it may be more than body.
        case buffer(UnsafeMutableRawBufferPointer)
    }

    /// Chooses where the next piece goes.
    ///
    /// - Returns: nil where the body pauses, and its next bytes stay where they are.
    private func place(
        for exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection
    ) -> Place? {
        let ahead = passage.reader.bodyAhead
        if passage.isFlowing, !connection.isEncrypted, ahead >= Int64(Self.leastByPipe), let pipe = takePipe() {
            let most = min(ahead, exchange.bytesByPipe)
            if most >= Int64(Self.leastByPipe) { return .pipe(pipe, Int(clamping: most)) }
        }
        if ahead > 0 {
            if let room = exchange.roomForBody {
                return .room(UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(clamping: ahead))))
            }
            if exchange.pausesAhead() { return nil }
        }
        let piece = rates.pieceSize(of: exchange.task, at: exchange.request.url.origin)
        let most = passage.reader.isInHead ? min(piece, Self.headPiece) : piece
        return .buffer(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(most)))
    }

    /// Reads what has come, but no more than a few pieces in a row: others want their turn.
    func receive(_ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection) {
        defer { readOn(exchange, passage, connection) }
        for piece in 0..<Self.mostPieces {
            guard let place = place(for: exchange, passage, connection) else {
                return pause(passage, connection, before: [])
            }
            let transit =
                switch place {
                case .pipe(let pipe, let most): connection.receive(into: pipe, upTo: most)
                case .room(let room): connection.receive(into: room, fills: true)
                case .buffer(let buffer): connection.receive(into: buffer, fills: false)
                }
            if case .pipe = place, saysNothing(transit, isFirst: piece == 0) {
                passage.isFlowing = false
                continue
            }
            switch transit {
            case .moved(let count):
                passage.heard(at: clock.now)
                let isLast = take(count, at: place, exchange, passage, connection)
                passage.isFlowing = !isLast || count >= Self.leastByPipe
                guard !isLast, case .receiving = passage.phase, !hasEnded(exchange) else { return }
            case .closed:
                return closed(exchange, passage, connection)
            case .wait:
                return
            case .failed(let failure):
                if !beginAgain(exchange, passage, connection) { fail(exchange, failure) }
                return
            }
        }
    }

    /// Whether what a pipe came to says nothing of the connection, which has to be read to know.
    ///
    /// - Parameter isFirst: whether the connection was heard of, and nothing has been taken from it since.
    private func saysNothing(_ transit: PlainConnection.Transit, isFirst: Bool) -> Bool {
        switch transit {
        case .moved: return false
        // An urgent byte stops a pipe (tcp(7)), as if nothing had come, or as if that were the end; recv(2) passes it.
        case .wait: return isFirst
        case .closed: return true
        case .failed(let failure):
            // No connection fails so: the kernel, or what guards it, does not do it.
            guard [EINVAL, ENOSYS, EPERM, EACCES, ENOMEM].contains(failure.systemErrno) else { return false }
            pipe = .useless
            return true
        }
    }

    /// Takes bytes that have come to a place; returns whether they were probably the last ones for now.
    private func take(
        _ count: Int, at place: Place, _ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection
    ) -> Bool {
        switch place {
        case .pipe(let pipe, _):
            passage.reader.skipped(count)
            proceed(exchange.received(pipe), exchange, passage)
            // Another body would get what is left in it.
            if pipe.count > 0 { self.pipe = .none }
            return count < Self.leastByPipe
        case .room(let room):
            passage.reader.skipped(count)
            proceed(exchange.filledRoom(count), exchange, passage)
            return connection.isDrained(by: count, of: room.count)
        case .buffer(let buffer):
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), exchange, passage, connection)
            return connection.isDrained(by: count, of: buffer.count)
        }
    }

    /// Bytes of the body went beside the reader, and their owner has said what is to follow.
    private func proceed(_ action: ReceiveAction, _ exchange: Exchange, _ passage: PlainPassage) {
        guard case .proceed = action else { return fail(exchange, .refused) }
        if passage.reader.isWhole { finish(exchange) }
    }

    /// Hands over what has come, as far as it is wanted.
    func take(
        _ bytes: UnsafeRawBufferPointer, _ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection
    ) {
        var rest = bytes
        while true {
            switch passage.reader.next(&rest) {
            case .line(let line):
                guard case .proceed = exchange.received(line) else {
                    return fail(exchange, .refused)
                }
            case .body(let piece):
                switch exchange.received(body: piece) {
                case .proceed: passage.reader.took(piece.count, of: &rest)
                case .abort: return fail(exchange, .refused)
                case .pause:
                    return pause(passage, connection, before: Array(rest))
                }
            case .more: return
            case .end:
                // What follows a reply unasked makes all that follows doubtful.
                if rest.isEmpty { finish(exchange) } else { finishLast(exchange) }
                return
            case .flaw(let flaw):
                if flaw == ReplyReader.unknownCoding { unreadable.insert(passage.request.route) }
                return fail(exchange, TransportFailure(code: flaw.code, text: flaw.text))
            }
        }
    }

    /// A pause ends by a call from elsewhere, so that nothing is heard of this connection before.
    private func pause(_ passage: PlainPassage, _ connection: PlainConnection, before rest: [UInt8]) {
        multi.ignore(connection.socket)
        passage.phase = .paused(connection, rest)
    }

    private func closed(_ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection) {
        switch passage.reader.ending() {
        case .whole: finishLast(exchange)
        case .flaw(let flaw): fail(exchange, TransportFailure(code: flaw.code, text: flaw.text))
        case .nothing:
            if beginAgain(exchange, passage, connection) { return }
            fail(exchange, TransportFailure(code: 52, text: "Empty reply from server"))
        }
    }
}
