import Glibc

/// What a correct server answers for a file: RFC 9110 with ranges and conditions.
struct GoodReply {
    var status: Int
    var fields: [(name: String, value: String)]
    var start = 0
    var count: Int

    init(to request: RecordedRequest, for file: ServedFile, ignoringRange: Bool) {
        let total = file.content.count
        fields = GoodReply.describe(file)
        status = 200
        count = total
        if GoodReply.isUnchanged(file, for: request) {
            status = 304
            count = 0
            return
        }
        fields.append(("Content-Type", file.type ?? ""))
        fields.removeAll { $0.value.isEmpty }
        guard file.acceptsRanges, !ignoringRange else { return }
        fields.append(("Accept-Ranges", "bytes"))
        guard request.method == "GET", GoodReply.ifRangeHolds(file, for: request) else { return }
        switch GoodReply.range(of: request, total: total) {
        case .none: break
        case .some(.unsatisfiable):
            status = 416
            count = 0
            fields.append(("Content-Range", "bytes */\(total)"))
        case .some(.bytes(let range)):
            status = 206
            start = range.lowerBound
            count = range.count
            fields.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"))
        }
    }

    private static func describe(_ file: ServedFile) -> [(name: String, value: String)] {
        var fields = [(name: "Date", value: HTTPDate.text(time(nil)))]
        if let etag = file.etag { fields.append(("ETag", etag)) }
        if let modified = file.modified { fields.append(("Last-Modified", HTTPDate.text(modified))) }
        return fields
    }

    /// If-None-Match goes before If-Modified-Since (RFC 9110, 13.2.2).
    private static func isUnchanged(_ file: ServedFile, for request: RecordedRequest) -> Bool {
        guard request.method == "GET" || request.method == "HEAD" else { return false }
        if let tags = request.header("If-None-Match") {
            guard let etag = file.etag else { return false }
            return tags == "*" || opaque(tags).contains(opaque(etag))
        }
        guard let since = request.header("If-Modified-Since"), let modified = file.modified else { return false }
        return since == HTTPDate.text(modified)
    }

    private static func opaque(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }

    /// If-Range compares strongly: a weak tag never holds (RFC 9110, 13.1.5).
    private static func ifRangeHolds(_ file: ServedFile, for request: RecordedRequest) -> Bool {
        guard let validator = request.header("If-Range") else { return true }
        if validator.hasPrefix("W/") { return false }
        if validator.hasPrefix("\"") { return validator == file.etag }
        guard let modified = file.modified else { return false }
        return validator == HTTPDate.text(modified)
    }

    private enum Wanted {
        case bytes(Range<Int>)
        case unsatisfiable
    }

    /// One range; several, or another unit, are ignored, as RFC 9110, 14.2 allows.
    private static func range(of request: RecordedRequest, total: Int) -> Wanted? {
        guard let field = request.header("Range"), field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let length = Int(ends[1]), length > 0, total > 0 else { return .unsatisfiable }
            return .bytes(max(0, total - length)..<total)
        }
        guard let first = Int(ends[0]) else { return nil }
        guard first < total else { return .unsatisfiable }
        guard !ends[1].isEmpty else { return .bytes(first..<total) }
        guard let last = Int(ends[1]), last >= first else { return nil }
        return .bytes(first..<min(last, total - 1) + 1)
    }
}
