extension Reply {
    /// Makes the good reply for the request, then bends it as the script orders.
    init(to request: RecordedRequest, for file: ServedFile?, by steps: [Step]) {
        var file = file
        var ignoresRange = false
        var status: Int?
        for step in steps {
            switch step {
            case .file(let other): file = other
            case .etag(let tag): file?.etag = tag
            case .ignoreRange: ignoresRange = true
            case .status(let number): status = number
            case .redirect(_, let number): status = number
            default: break
            }
        }
        for case .content(let content) in steps {
            file?.content = content
            if file == nil { file = ServedFile(content, etag: nil, modified: nil) }
        }
        let hasContent = steps.contains { if case .content = $0 { true } else { false } }
        start(request, file, status: status, hasContent: hasContent, ignoresRange: ignoresRange, steps.isEmpty)
        framing = .length(count)
        if isBodiless { removeField("Content-Type") }
        for step in steps { shape(step) }
        for step in steps { disturb(step) }
        finish(request)
    }

    private mutating func start(
        _ request: RecordedRequest, _ file: ServedFile?, status wanted: Int?, hasContent: Bool, ignoresRange: Bool,
        _ unscripted: Bool
    ) {
        let isPlain = wanted == nil || wanted == 200 || wanted == 206
        if let file, isPlain || hasContent {
            let good = GoodReply(to: request, for: file, ignoringRange: ignoresRange || !isPlain)
            (status, fields, content, start, count) = (
                wanted ?? good.status, good.fields, file.content, good.start, good.count
            )
            if wanted == 200 { removeField("Content-Range") }
            return
        }
        status = wanted ?? (unscripted ? 404 : 200)
        guard status >= 300, !isBodiless else { return }
        let text = "status \(status)\n"
        content = .text(text)
        count = text.utf8.count
        fields = [("Content-Type", "text/plain")]
    }

    /// Applies the orders that change fields, framing and the bytes sent.
    private mutating func shape(_ step: Step) {
        switch step {
        case .header(let name, let value): setField(name, value)
        case .addHeader(let name, let value): fields.append((name, value))
        case .trailer(let name, let value):
            trailer.append((name, value))
            if case .chunked = framing { break }
            framing = .chunked(size: 4096, fault: nil)
        case .withoutHeader(let name): removeField(name)
        case .redirect(let target, _): setField("Location", target)
        case .retryAfter(let value): setField("Retry-After", value)
        case .contentRange(let value): setField("Content-Range", value)
        case .bodyFrom(let offset):
            start = offset
            count = max(0, content.count - offset)
            framing = .length(count)
        case .contentLength(let length): framing = .length(length)
        case .noLength: framing = .untilClose
        case .chunked(let size): framing = .chunked(size: max(1, size), fault: nil)
        case .badChunk(let after): framing = .chunked(size: 4096, fault: .badLine(after: after))
        case .chunkedWithoutEnd: framing = .chunked(size: 4096, fault: .noEnd)
        default: break
        }
    }

    /// Applies the orders about time and about the connection.
    private mutating func disturb(_ step: Step) {
        switch step {
        case .informational(let number): interim.append(number)
        case .trickle(let pace): bytesPerSecond = max(1, pace)
        case .hold(let gate): waits.append(Wait(after: nil, gate: gate))
        case .stall(let after, let gate): waits.append(Wait(after: after, gate: gate))
        case .urgentByte(let after): urgentAfter = after
        case .cut(let after, let ending): cut = (after, ending)
        case .cutHead(let after, let ending): cutHead = (after, ending)
        case .drop(let ending): instead = ([], ending)
        case .raw(let bytes): instead = (bytes, .fin)
        case .closeAfterReply: afterwards = .closeUnannounced
        case .ticketAfterReply(let gate): afterwards = .keepWithTicket(gate)
        case .connectionClose: afterwards = .close
        default: break
        }
    }

    /// Writes the framing into the fields and settles how the connection goes on.
    private mutating func finish(_ request: RecordedRequest) {
        waits.sort { ($0.after ?? -1) < ($1.after ?? -1) }
        switch framing {
        case .length(let length):
            let isGiven = fields.contains { $0.name.lowercased() == "content-length" }
            if !isBodiless, !isGiven { fields.append(("Content-Length", "\(length)")) }
            if length != count { afterwards = .closeUnannounced }
        case .untilClose: afterwards = .close
        case .chunked(_, let fault):
            setField("Transfer-Encoding", "chunked")
            if !trailer.isEmpty { setField("Trailer", trailer.map(\.name).joined(separator: ", ")) }
            if fault != nil { afterwards = .closeUnannounced }
        }
        let asksToClose = request.header("Connection")?.lowercased() == "close"
        if asksToClose, case .keep = afterwards { afterwards = .close }
        if case .close = afterwards { setField("Connection", "close") }
        if request.method == "HEAD" || isBodiless { count = 0 }
    }
}
