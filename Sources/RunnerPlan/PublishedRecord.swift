public import RunnerJob

/// What was recorded of a file when it was put in place.
public struct PublishedRecord: Hashable, Sendable {
    /// Bytes.
    public var size: Int64
    /// Nanoseconds since 1970.
    public var modified: Int64
    public var changed: Int64
    public var inode: UInt64
    /// What the bytes hashed to.
    public var digests: RecordedDigests
    /// The request that they came from; see ``SourceKey``.
    public var sourceKey: Int64
    /// Validators of the reply, as the server sent them.
    public var etag: String?
    public var lastModified: String?
    /// When the file was put in place, in seconds since 1970.
    public var published: Int64
    /// Whether the bytes are sure to be on the disk: they were synced, or the machine has not started anew since.
    public var isTrusted: Bool

    public init(
        size: Int64, modified: Int64, changed: Int64, inode: UInt64, digests: RecordedDigests = RecordedDigests(""),
        sourceKey: Int64 = 0, etag: String? = nil, lastModified: String? = nil, published: Int64 = 0,
        isTrusted: Bool = true
    ) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
        self.digests = digests
        self.sourceKey = sourceKey
        self.etag = etag
        self.lastModified = lastModified
        self.published = published
        self.isTrusted = isTrusted
    }

    /// Whether a file is as it was when it was put in place.
    ///
    /// The device is left out, since its number may change from boot to boot.
    public func fits(_ file: FileState) -> Bool {
        file.kind == .file && file.size == size && file.modified == modified && file.changed == changed
            && file.inode == inode
    }

    /// Whether a file is known, without being read, to have all of some digests; never when there is none of them.
    public func proves(_ wanted: [Digest], of file: FileState) -> Bool {
        isTrusted && fits(file) && !wanted.isEmpty && wanted.allSatisfy { digests.agrees(with: $0) == true }
    }
}

extension FileState {
    /// The file as it was put in place.
    public init(_ record: PublishedRecord) {
        self.init(
            kind: .file, size: record.size, modified: record.modified, changed: record.changed, inode: record.inode)
    }
}

/// Digests as the ledger has them: `sha256:… md5:…`, in hexadecimal digits, parted by blanks.
///
/// They stay text, because a plan compares thousands of them and needs none as a value.
public struct RecordedDigests: Hashable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public init(_ digests: [Digest]) {
        text = digests.map(\.description).sorted().joined(separator: " ")
    }

    public var isEmpty: Bool { text.isEmpty }

    /// Whether a digest is among them with the same value; nil when none of its algorithm is.
    public func agrees(with digest: Digest) -> Bool? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let word = rest.prefix { $0 != UInt8(ascii: " ") }
                rest = rest.dropFirst(word.count + 1)
                let name = word.prefix { $0 != UInt8(ascii: ":") }
                guard name.elementsEqual(digest.algorithm.rawValue.utf8) else { continue }
                return Self.hexadecimal(word.dropFirst(name.count + 1), equals: digest.bytes)
            }
            return nil
        }
    }

    private static func hexadecimal(_ digits: Slice<UnsafeBufferPointer<UInt8>>, equals bytes: [UInt8]) -> Bool {
        guard digits.count == 2 * bytes.count else { return false }
        var position = digits.startIndex
        for byte in bytes {
            if digits[position] != digit(byte >> 4) || digits[position + 1] != digit(byte & 15) { return false }
            position += 2
        }
        return true
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// A number for what a request asks for: its URL with the query, its method and body, and the header
/// fields that are no credentials.
///
/// Validators of one request say nothing about the reply to another: two files behind one path that differ in the
/// query may well have one date (RFC 9110, section 8.8).
public enum SourceKey {
    public static func of(_ source: SourceURL, _ request: RequestSettings) -> Int64 {
        var hash = Fingerprint()
        hash.add(source.url.text)
        for field in request.headers where !field.isCredential {
            hash.add(field.name.lowercased())
            hash.add(field.value)
        }
        if request.method != "GET" { hash.add(request.method) }
        switch request.body {
        case .text(let text, _): hash.add(text)
        case .file(let path, _): hash.add(path.text)
        case nil: break
        }
        return hash.value
    }
}

/// What a conditional request asks with, and whom.
public struct RevalidationValidators: Hashable, Sendable {
    /// Index in the download's sources of the one that the file came from; no other may be asked.
    public var source: Int
    /// For `If-None-Match`.
    public var etag: String?
    /// For `If-Modified-Since`.
    public var lastModified: String?

    public init(source: Int, etag: String? = nil, lastModified: String? = nil) {
        self.source = source
        self.etag = etag
        self.lastModified = lastModified
    }
}

/// What an earlier run left of a download.
public struct PartOnDisk: Hashable, Sendable {
    /// Bytes that are there and may be believed.
    public var bytes: Int64
    /// Size of the whole file, where it is known.
    public var total: Int64?
    /// The validator that the rest is asked for with: an entity tag, or a date.
    public var validator: String?

    public init(bytes: Int64, total: Int64? = nil, validator: String? = nil) {
        self.bytes = bytes
        self.total = total
        self.validator = validator
    }
}
