/// One connection: reads requests and answers them in turn until either side ends it.
final class Connection {
    private let number: Int
    private let channel: any Channel
    private let core: ServerCore
    private var buffer: [UInt8] = []

    private static let headLimit = 262_144
    private static let keptBody = 1 << 20

    init(_ number: Int, _ channel: any Channel, _ core: ServerCore) {
        self.number = number
        self.channel = channel
        self.core = core
    }

    /// Serves until the end; the caller disposes of the channel.
    func serve() {
        while let request = readRequest() {
            let (index, reply) = core.answer(request)
            let writer = ReplyWriter(channel: channel, reply: reply) { self.core.sent($0, for: index) }
            let result = writer.run()
            core.answered(index)
            switch result {
            case .keep: continue
            case .close:
                channel.finish()
                drain()
                return
            case .broken(let ending):
                channel.breakOff(ending)
                if case .fin = ending { drain() }
                return
            }
        }
    }

    /// Reads what still comes, so that closing does not turn the orderly end into a reset.
    private func drain() {
        while !channel.read(65_536).isEmpty {}
    }

    private func readRequest() -> RecordedRequest? {
        guard let head = readHead(), var request = RecordedRequest(head: head, connection: number) else { return nil }
        if request.header("Expect")?.lowercased() == "100-continue" {
            if let status = core.replyToExpectations { return answer(request, with: status) }
            guard channel.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]) else { return nil }
        }
        guard readBody(of: &request) else { return nil }
        return request
    }

    /// Answers before the body is sent (RFC 9110 section 10.1.1), and reads what is sent instead.
    private func answer(_ request: RecordedRequest, with status: String) -> RecordedRequest? {
        core.note(request)
        let reply = "HTTP/1.1 \(status)\r\nContent-Length: 3\r\n\r\nno\n"
        return channel.write(Array(reply.utf8)[...]) ? readRequest() : nil
    }

    /// The head up to its empty line, which is taken from the buffer with it.
    private func readHead() -> [UInt8]? {
        let mark: [UInt8] = [13, 10, 13, 10]
        var searched = 0
        while true {
            if buffer.count >= 4, searched <= buffer.count - 4 {
                for index in searched...buffer.count - 4 where buffer[index...].starts(with: mark) {
                    let head = Array(buffer[..<index])
                    buffer.removeFirst(index + 4)
                    return head
                }
                searched = buffer.count - 3
            }
            guard buffer.count < Connection.headLimit, fill() else { return nil }
        }
    }

    private func fill() -> Bool {
        let bytes = channel.read(65_536)
        buffer += bytes
        return !bytes.isEmpty
    }

    private func readBody(of request: inout RecordedRequest) -> Bool {
        if request.header("Transfer-Encoding")?.lowercased() == "chunked" {
            return readChunks(of: &request)
        }
        guard let text = request.header("Content-Length") else { return true }
        guard let length = Int(text), length >= 0 else { return false }
        return take(length, into: &request)
    }

    private func take(_ length: Int, into request: inout RecordedRequest) -> Bool {
        var left = length
        while left > 0 {
            if buffer.isEmpty, !fill() { return false }
            let piece = buffer.prefix(left)
            request.body += piece.prefix(max(0, Connection.keptBody - request.body.count))
            request.bodySize += piece.count
            left -= piece.count
            buffer.removeFirst(piece.count)
        }
        return true
    }

    private func readChunks(of request: inout RecordedRequest) -> Bool {
        while true {
            guard let line = readLine(), let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else {
                return false
            }
            guard take(size, into: &request), readLine() != nil else { return false }
            if size == 0 { return true }
        }
    }

    private func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return line.last == "\r" ? String(line.dropLast()) : line
            }
            guard buffer.count < Connection.headLimit, fill() else { return nil }
        }
    }
}
