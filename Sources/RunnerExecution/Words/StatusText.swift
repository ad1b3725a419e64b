/// Names of HTTP statuses (RFC 9110 section 15, RFC 6585).
enum StatusText {
    private static let reasons: [Int: String] = [
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 305: "Use Proxy",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        421: "Misdirected Request", 423: "Locked", 425: "Too Early", 426: "Upgrade Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
        511: "Network Authentication Required",
    ]

    /// The reason phrase of a status; nil for one that has none here.
    static func reason(_ status: Int) -> String? { reasons[status] }

    /// Several statuses in a sentence: `200 or 203`; three in a row and more are told by their ends.
    static func list(_ statuses: Set<Int>) -> String {
        var runs: [ClosedRange<Int>] = []
        for status in statuses.sorted() {
            if let last = runs.last, last.upperBound + 1 == status {
                runs[runs.count - 1] = last.lowerBound...status
            } else {
                runs.append(status...status)
            }
        }
        return runs.flatMap { run in
            run.count > 2 ? ["\(run.lowerBound) to \(run.upperBound)"] : run.map(String.init)
        }.joined(separator: " or ")
    }
}
