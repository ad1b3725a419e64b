/// The fields of a reply's head that a transfer always looks at.
///
/// Found among bytes, since most fields that a server sends are none of these and need no text.
enum HeadField: CaseIterable {
    case contentLength, transferEncoding, contentRange, acceptRanges, contentType, contentEncoding, contentDisposition
    case location, etag, lastModified, date, retryAfter

    /// The field of that name, in letters of either case (RFC 9110 section 5.1).
    init?(_ name: UnsafeRawBufferPointer) {
        for field in Self.allCases where Self.isEqual(name, field.name) {
            self = field
            return
        }
        return nil
    }

    /// Whether it says where the body ends (RFC 9112 section 6).
    var saysBodyEnd: Bool { self == .contentLength || self == .transferEncoding }

    private var name: StaticString {
        switch self {
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .contentRange: "content-range"
        case .acceptRanges: "accept-ranges"
        case .contentType: "content-type"
        case .contentEncoding: "content-encoding"
        case .contentDisposition: "content-disposition"
        case .location: "location"
        case .etag: "etag"
        case .lastModified: "last-modified"
        case .date: "date"
        case .retryAfter: "retry-after"
        }
    }

    /// Whether a name, in any letters, may be one of a digest or of a rate: whether it begins like one of those.
    static func mayBeOther(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let first = name.first else { return false }
        return otherInitials.contains(lowercased(first))
    }

    private static let otherInitials = Array((DigestFields.initials + RateSignal.initials).utf8)

    /// - Parameter known: in lower case.
    static func isEqual(_ name: UnsafeRawBufferPointer, _ known: StaticString) -> Bool {
        guard name.count == known.utf8CodeUnitCount else { return false }
        return known.withUTF8Buffer { known in
            known.indices.allSatisfy { lowercased(name[$0]) == known[$0] }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
