/// One request as the server saw it.
package struct RecordedRequest: Sendable {
    /// The number of the connection it came on, counted from 1.
    package let connection: Int
    /// The method, as written.
    package let method: String
    /// The request target, as written: path and query.
    package let target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    package let version: String
    /// The header fields in their order, names as written.
    package let headers: [(name: String, value: String)]
    /// The body, or its first mebibyte.
    package var body: [UInt8]
    /// The whole length of the body.
    package var bodySize: Int
    /// When the head had arrived.
    package let time: ContinuousClock.Instant
    /// How many body bytes were handed to the system in reply.
    package var sent: Int
    /// Whether the reply is over, whole or not.
    package var isAnswered: Bool

    /// The target without its query.
    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The first value of a field; names compare without regard to case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}

extension RecordedRequest {
    /// Reads a request head (without its last empty line); `nil` when it is not one.
    init?(head: [UInt8], connection: Int) {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
        guard let first = lines.first else { return nil }
        let words = first.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        var headers: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            var value = line[line.index(after: colon)...]
            while value.first == " " || value.first == "\t" { value.removeFirst() }
            while value.last == " " || value.last == "\t" { value.removeLast() }
            headers.append((name: String(line[..<colon]), value: String(value)))
        }
        self.init(
            connection: connection, method: String(words[0]), target: String(words[1]), version: String(words[2]),
            headers: headers,
            body: [], bodySize: 0, time: .now, sent: 0, isAnswered: false)
    }
}
