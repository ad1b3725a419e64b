import Glibc
import TestSupport

/// A client that sends bytes and shows what comes back until the server ends the connection.
final class RawClient {
    /// How the server's side ended.
    enum End {
        case orderly
        case reset
    }

    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            // connect(2) takes every kind of address as a `sockaddr`.
            connect(descriptor, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length)
        }
        guard result == 0 else { throw SystemFailure("connect") }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a request; without further fields it asks the server to close after its reply.
    func send(_ line: String, _ fields: [String] = ["Connection: close"], body: String = "") {
        let text = ([line + " HTTP/1.1", "Host: test"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Everything up to the end of the connection, and what that end was.
    func readToEnd() -> (text: String, bytes: [UInt8], end: End) {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count > 0 {
                all += piece.prefix(count)
            } else {
                return (String(decoding: all, as: UTF8.self), all, count == 0 ? .orderly : .reset)
            }
        }
    }
}

/// A parsed reply.
struct RawReply {
    let status: Int
    let fields: [String: String]
    let body: String

    init?(_ text: String) {
        guard let split = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<split.lowerBound].split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        self.status = status
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? String(parts[1]) : ""
        }
        self.fields = fields
        body = String(text[split.upperBound...])
    }
}

/// One request on a connection of its own.
func exchange(_ server: FaultServer, _ line: String, _ fields: String...) throws -> RawReply? {
    let client = try RawClient(port: server.port)
    client.send(line, fields + ["Connection: close"])
    return RawReply(client.readToEnd().text)
}
