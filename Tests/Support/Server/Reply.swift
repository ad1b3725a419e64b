/// A reply with all its faults: what the script made of the good one.
struct Reply {
    /// How the end of the body is told.
    enum Framing {
        case length(Int)
        case untilClose
        case chunked(size: Int, fault: ChunkFault?)
    }

    /// What is wrong with a chunked body.
    enum ChunkFault {
        case badLine(after: Int)
        case noEnd
    }

    /// What becomes of the connection after a whole reply.
    enum Afterwards {
        case keep
        case keepWithTicket(Gate)
        case close
        case closeUnannounced
    }

    /// A place in the body (`nil`: before the head) where the reply waits.
    struct Wait {
        let after: Int?
        let gate: Gate?
    }

    var status = 200
    var fields: [(name: String, value: String)] = []
    /// Fields behind a chunked body (RFC 9112, 7.1.2).
    var trailer: [(name: String, value: String)] = []
    var content = Content.bytes([])
    var start = 0
    var count = 0
    var framing = Framing.length(0)
    var afterwards = Afterwards.keep
    var interim: [Int] = []
    var waits: [Wait] = []
    var bytesPerSecond: Int?
    /// Bytes of the body that an urgent one is sent behind.
    var urgentAfter: Int?
    var cut: (after: Int, by: Ending)?
    var cutHead: (after: Int, by: Ending)?
    /// Breaks off without a byte, or sends these bytes alone.
    var instead: (bytes: [UInt8], by: Ending)?

    /// Whether the status forbids a body (RFC 9110, 6.4.1).
    var isBodiless: Bool { status == 204 || status == 304 || status < 200 }

    /// The bytes of the head, the last empty line included.
    var head: [UInt8] {
        var text = ""
        for status in interim { text += "HTTP/1.1 \(status) \(Reply.reason(status))\r\n\r\n" }
        text += "HTTP/1.1 \(status) \(Reply.reason(status))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    mutating func setField(_ name: String, _ value: String) {
        removeField(name)
        fields.append((name, value))
    }

    mutating func removeField(_ name: String) {
        let unwanted = name.lowercased()
        fields.removeAll { $0.name.lowercased() == unwanted }
    }

    private static func reason(_ status: Int) -> String {
        let reasons = [
            100: "Continue", 103: "Early Hints", 200: "OK", 204: "No Content", 206: "Partial Content",
            301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
            307: "Temporary Redirect", 308: "Permanent Redirect", 401: "Unauthorized", 403: "Forbidden",
            404: "Not Found", 410: "Gone", 416: "Range Not Satisfiable", 429: "Too Many Requests",
            500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
        ]
        return reasons[status] ?? "Status"
    }
}
