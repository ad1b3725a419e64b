import LibCurl
import RunnerJob

/// Collects the lines of a reply's head into a ``ReplyHead``; libcurl has split them already.
struct HeadParser {
    private var head = ReplyHead(status: 0)
    private var phase = Phase.outside
    /// Fields behind the body that may carry a digest (RFC 9110 section 6.5); names in lower case.
    private(set) var trailer: [ReplyHead.Field] = []
    /// Bytes of all lines behind the head, in which libcurl has no ceiling.
    private var trailerLength = 0
    /// More than libcurl takes of a head.
    static let longestTrailer = 300 << 10
    var isTrailerTooLong: Bool { trailerLength > Self.longestTrailer }
    private var retryAfterText: String?
    /// The field of the line before, which a folded line goes on with; nil for one that is not looked at.
    private var previous: HeadField?
    /// The value of a Content-Disposition, as it came.
    private var disposition: [UInt8] = []
    private var rateFields: [ReplyHead.Field] = []
    private let dates: HTTPDates

    private enum Phase {
        /// No status line was read, or one that is none.
        case outside
        case inHead
        /// A final head has been read whole, so that a field is one of the trailer.
        case behindHead
    }

    init(dates: HTTPDates = HTTPDates()) {
        self.dates = dates
    }

    /// Takes one line with its line end; returns the head when the line was the empty one behind it.
    ///
    /// Interim replies (1xx) are passed over (RFC 9110 section 15.2). libcurl hands in the fields behind a body too,
    /// in the same way, and says nothing between head and body.
    mutating func take(_ line: UnsafeRawBufferPointer) -> ReplyHead? {
        let text = Self.trimmed(line)
        if text.isEmpty { return headEnd() }
        if phase == .behindHead { trailerLength += line.count }
        if let first = line.first, first == 0x20 || first == 0x09 {
            fold(text)
            return nil
        }
        previous = nil
        if Self.isStatusLine(text) {
            begin()
            if let status = Self.statusLine(text) {
                head.status = status
                phase = .inHead
            }
            return nil
        }
        guard phase != .outside, let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = UnsafeRawBufferPointer(rebasing: text[..<colon])
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]))
        if phase == .inHead, let field = HeadField(name) {
            previous = field
            addField(field, value)
        } else if phase == .inHead, name.last == 0x20 || name.last == 0x09 {
            // libcurl takes such a name for another (RFC 9112 section 5.1 has none).
            if HeadField(Self.trimmed(name))?.saysBodyEnd ?? false { head.hasUnclearFraming = true }
        } else if HeadField.mayBeOther(name) {
            let name = String(decoding: name, as: UTF8.self).lowercased()
            addOther(ReplyHead.Field(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return nil
    }

    private mutating func begin() {
        self = HeadParser(dates: dates)
    }

    private mutating func headEnd() -> ReplyHead? {
        guard phase == .inHead else { return nil }
        guard head.status >= 200 else {
            begin()
            return nil
        }
        finishHead()
        let whole = head
        begin()
        phase = .behindHead
        return whole
    }

    /// A reference to a URL: bytes that are not UTF-8 are those of the path as the server has it, and are encoded.
    private static func reference(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map { $0 < 0x80 ? String(Unicode.Scalar($0)) : "%" + String($0, radix: 16, uppercase: true) }
            .joined()
    }

    private mutating func addField(_ field: HeadField, _ bytes: UnsafeRawBufferPointer) {
        // Its bytes may be UTF-8 or ISO 8859-1, so that they are looked at as they are.
        if field == .contentDisposition {
            // The first that has a name counts.
            if head.fileName != nil {
                previous = nil
                return
            }
            disposition = Array(bytes)
            head.fileName = ContentDisposition.fileName(disposition)
            return
        }
        if field == .contentLength, case .absent = head.contentLength, let count = Self.number(bytes) {
            head.contentLength = .bytes(count)
            return
        }
        // A tag that is no text could not be sent back as it came, and would look like any other of that kind.
        if field == .etag, String(validating: bytes, as: UTF8.self) == nil { return }
        // Without a value they say nothing, and nothing can be asked with them.
        if bytes.isEmpty, field == .etag || field == .lastModified || field == .contentType { return }
        let value = field == .location ? Self.reference(bytes) : String(decoding: bytes, as: UTF8.self)
        switch field {
        case .contentDisposition: break
        case .contentLength: addLength(value)
        case .transferEncoding: head.isChunked = head.isChunked || value.lowercased().contains("chunked")
        case .contentRange: head.contentRange = value
        case .acceptRanges: head.acceptRanges = value.lowercased()
        case .contentType: head.contentType = value
        case .contentEncoding: head.contentEncoding = value
        case .location: head.location = value
        case .etag: head.etag = value
        case .lastModified:
            head.lastModified = value
            head.lastModifiedTime = dates.modified.time(value)
        case .date: head.dateTime = dates.sent.time(value)
        case .retryAfter: retryAfterText = value
        }
    }

    /// A folded line goes on with the field before it, as if there were one blank in place of the line's end
    /// (RFC 9112 section 5.2).
    private mutating func fold(_ text: UnsafeRawBufferPointer) {
        guard phase == .inHead, let field = previous else { return }
        let value: [UInt8]
        switch field {
        // Readers take it differently, so that where the body ends is not known.
        case .contentLength, .transferEncoding:
            head.hasUnclearFraming = true
            return
        case .contentDisposition:
            value = disposition
            head.fileName = nil
        case .contentRange: value = Array((head.contentRange ?? "").utf8)
        case .contentType: value = Array((head.contentType ?? "").utf8)
        case .contentEncoding: value = Array((head.contentEncoding ?? "").utf8)
        case .location: value = Array((head.location ?? "").utf8)
        case .etag: value = Array((head.etag ?? "").utf8)
        case .lastModified: value = Array((head.lastModified ?? "").utf8)
        case .retryAfter: value = Array((retryAfterText ?? "").utf8)
        // Not kept as they came; what they say without the rest does no harm.
        case .acceptRanges, .date: return
        }
        (value + [0x20] + text).withUnsafeBytes { addField(field, Self.trimmed($0)) }
    }

    private mutating func addOther(_ field: ReplyHead.Field) {
        if DigestFields.isOne(field.name) {
            if phase == .behindHead { trailer.append(field) } else { head.otherFields.append(field) }
        } else if phase == .inHead, RateSignal.isSignal(field.name) {
            rateFields.append(field)
        }
    }

    /// Several fields, or a list in one, must agree (RFC 9110 section 8.6).
    private mutating func addLength(_ value: String) {
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let count = Self.number(part.utf8.filter { $0 != 0x20 && $0 != 0x09 }) else {
                head.contentLength = .invalid(value)
                return
            }
            switch head.contentLength {
            case .bytes(let earlier) where earlier != count: head.contentLength = .conflicting
            case .absent: head.contentLength = .bytes(count)
            default: break
            }
        }
    }

    /// A number of digits alone; nil for anything else, and for one that is too large.
    static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard 0x30...0x39 ~= digit else { return nil }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowToo) = tens.addingReportingOverflow(Int64(digit - 0x30))
            if overflow || overflowToo { return nil }
            number = sum
        }
        return number
    }

    private mutating func finishHead() {
        if let text = retryAfterText {
            let now = head.dateTime ?? WallClock.seconds
            head.retryAfter = RetryAfter.wait(text, now: now, date: httpDate)
        }
        if !rateFields.isEmpty {
            head.rateSignal = RateSignal(rateFields, now: head.dateTime ?? WallClock.seconds)
        }
    }

    private static func isStatusLine(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 5 else { return false }
        return text[0] == UInt8(ascii: "H") && text[1] == UInt8(ascii: "T") && text[2] == UInt8(ascii: "T")
            && text[3] == UInt8(ascii: "P") && text[4] == UInt8(ascii: "/")
    }

    /// `HTTP/1.1 200 OK` and `HTTP/2 200`: the second word is the status.
    private static func statusLine(_ text: UnsafeRawBufferPointer) -> Int? {
        guard let blank = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let word = text[blank...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        return number(word).flatMap(Int.init(exactly:))
    }

    /// Without blanks and line ends around it.
    static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var (start, end) = (0, line.count)
        while start < end, isBlank(line[start]) { start += 1 }
        while end > start, isBlank(line[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }
}
