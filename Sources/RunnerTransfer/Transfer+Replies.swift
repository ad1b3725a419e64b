package import LibCurl
import RunnerJob
package import RunnerStorage

/// What the replies to its requests bring.
extension Transfer: ExchangeOwner {
    private enum Listener {
        case main
        case segment(SegmentID)
    }

    private func listener(of exchange: Exchange) -> Listener? {
        if exchange === main.exchange { return .main }
        return segments.first { $0.value.exchange === exchange }.map { .segment($0.key) }
    }

    package func exchange(_ exchange: Exchange, received head: ReplyHead) -> Exchange.HeadAction {
        isInCallback = true
        defer { isInCallback = false }
        guard let listener = listener(of: exchange) else { return .stop }
        let head = SharedHead(marked(head, from: exchange.request.url.origin))
        switch listener {
        case .main:
            record.head = head
            record.httpVersion = exchange.httpVersion
            record.lastOrigin = exchange.request.url.origin
            cookies = exchange.cookies
            // Detached exchanges are stopped; one whose reply is of no use is drained instead, for its connection.
            let listened = main.exchange
            handle(.request(.headReceived(shared: head)))
            return main.exchange === listened ? .receive : .drain
        case .segment(let id):
            handle(.segment(id, .headReceived(shared: head)))
            guard let stream = segments[id] else { return .stop }
            return stream.exchange === exchange ? .receive : .drain
        }
    }

    /// Marks a refusal that is due to the pace of all tasks together: others were answered since the last one.
    private func marked(_ head: ReplyHead, from origin: Origin) -> ReplyHead {
        let served = host.transfer(self, received: head, from: origin)
        guard ReplyRules.faultClass(of: head) == .rateLimited else {
            if ReplyRules.isServed(head) { servedToOwn += 1 }
            return head
        }
        var head = head
        let servedToOthers = served - servedToOwn
        head.isFromBusyOrigin = servedToOthers > servedToOthersBefore
        servedToOthersBefore = servedToOthers
        return head
    }

    package func exchange(_ exchange: Exchange, received body: UnsafeRawBufferPointer) -> ReceiveAction {
        guard let listener = listener(of: exchange) else { return .abort }
        if isQueueFull { return .pause }
        isInCallback = true
        defer { isInCallback = false }
        switch listener {
        case .main: receive(body)
        case .segment(let id): receive(body, for: id)
        }
        return verdict(on: exchange)
    }

    package func roomForBody(of exchange: Exchange) -> UnsafeMutableRawBufferPointer? {
        guard exchange === main.exchange, !isQueueFull else { return nil }
        return main.room(limit: machine.mainLimit, pool: pool)
    }

    package func exchange(_ exchange: Exchange, filledRoom bytes: Int) -> ReceiveAction {
        guard exchange === main.exchange else { return .abort }
        isInCallback = true
        defer { isInCallback = false }
        let limit = machine.mainLimit
        main.filled(bytes, submit: submit)
        count(bytes, upTo: limit)
        return verdict(on: exchange)
    }

    package func bytesByPipe(for exchange: Exchange) -> Int64 {
        guard exchange === main.exchange, !isQueueFull else { return 0 }
        if writer.isOpening {
            // So the rest is held back, and goes by a pipe when the part is open.
            main.flush(submit)
            return 0
        }
        // A lane that is behind with its digests would have to copy what a pipe has written. Where nothing else is being
        // fetched, this thread has the time to copy it.
        if queued > 1, engine.count == 1 { return 0 }
        // One byte too many is enough to know.
        let limit = min(machine.mainLimit, setup.machine.maxSize.map { min($0, .max - 1) + 1 } ?? .max)
        return main.bytesByPipe(limit: limit, takesPipes: writer.takesPipes, submit: submit)
    }

    package func exchange(_ exchange: Exchange, received pipe: SplicePipe) -> ReceiveAction {
        guard exchange === main.exchange else { return .abort }
        isInCallback = true
        defer { isInCallback = false }
        let (limit, bytes) = (machine.mainLimit, pipe.count)
        main.take(pipe, pool: pool, write: { write(pipe, at: $0) }, submit: submit)
        count(bytes - pipe.count, upTo: limit)
        // Whatever followed would lie in the wrong place.
        return pipe.count == 0 ? verdict(on: exchange) : .abort
    }

    package func holdsBack(_ exchange: Exchange) -> Bool { exchange === main.exchange && isQueueFull }

    private var isQueueFull: Bool {
        // While the part is being opened one is enough: the rest waits in the socket, from where a pipe can take it.
        queued >= (writer.isOpening ? 1 : Self.queueLimit + 2 * segments.count)
    }

    /// Whether an exchange goes on after bytes of it have come.
    private func verdict(on exchange: Exchange) -> ReceiveAction {
        if let limit = setup.machine.maxSize, machine.part.have > limit {
            handle(.request(.broke(Fault(.tooLarge, .tooLarge(size: machine.part.have, limit: limit)))))
            main.exchange = nil
            return .abort
        }
        return self.listener(of: exchange) == nil ? .abort : .proceed
    }

    package func exchange(_ exchange: Exchange, ended result: Result<Void, Fault>) {
        let event: RequestMachine.Event =
            switch result {
            case .success: .bodyEnded
            case .failure(let fault): .broke(fault)
            }
        guard let listener = listener(of: exchange) else { return }
        if case .failure(let fault) = result, case .notRenamed = fault.cause { isRenameRefused = true }
        if case .failure(let fault) = result, !exchange.hasHead {
            host.transfer(self, hadNoReplyFrom: exchange.request.url.origin, on: exchange.connection, fault)
        }
        switch listener {
        case .main:
            main.exchange = nil
            record.note(exchange)
            main.flush(submit)
            if !exchange.trailer.isEmpty { handle(.request(.trailerReceived(exchange.trailer))) }
            handle(.request(event))
        case .segment(let id):
            segments[id]?.exchange = nil
            segments[id]?.flush(submit)
            handle(.segment(id, event))
        }
    }

    // MARK: - Bytes

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        let limit = machine.mainLimit
        main.take(bytes, limit: limit, pool: pool, submit: submit)
        count(bytes.count, upTo: limit)
    }

    /// Bytes of the main stream have come.
    private func count(_ added: Int, upTo limit: Int64) {
        record.transferred += Int64(added)
        uncounted += added
        // An event for each piece of 16 KiB costs more than to copy it. Where the stream may have to stop at a byte,
        // each is counted as it comes.
        let runsFree = segments.isEmpty && setup.machine.maxSize == nil && limit == machine.part.total ?? .max
        if !runsFree || uncounted >= Chunk.capacity { countBytes() }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, for id: SegmentID) {
        guard let limit = machine.limit(of: id) else { return }
        record.transferred += Int64(bytes.count)
        segments[id]?.take(bytes, limit: limit, pool: pool, submit: submit)
        handle(.segment(id, .bytesReceived(bytes.count)))
    }
}
