package import RunnerJob
package import RunnerStorage

/// The digests that a reply carries, in its head or behind its body.
///
/// Algorithms that are not known, values that cannot be read and digests of something else than the bytes that come
/// are passed over: a server that says nothing usable is as good as one that says nothing.
package enum DigestFields {
    /// Whether a field may carry a digest; the name is in lower case.
    package static func isOne(_ name: String) -> Bool {
        others.contains(name) || algorithm(ofOwnField: name) != nil
    }

    /// What the names of such fields begin with, in lower case.
    package static let initials = "rcdx"

    private static let others: Set<String> = [
        "repr-digest", "content-digest", "digest", "content-md5", "x-goog-hash", "x-goog-stored-content-encoding",
        "x-amz-checksum-sha256", "x-amz-checksum-sha1", "x-amz-checksum-crc32", "x-amz-checksum-crc32c",
        "x-amz-checksum-crc64nvme", "x-amz-checksum-type", "x-ms-blob-content-md5",
        "x-bz-content-sha1",
    ]

    /// What a reply says of the bytes that come in it, or of the whole file.
    ///
    /// - Parameters:
    ///   - body: the bytes that come.
    ///   - etagIsMD5: whether the job says so; otherwise an entity tag is a name and no digest.
    package static func digests(
        in head: ReplyHead, _ body: ReplyMeaning.Body, etagIsMD5: Bool = false
    ) -> [ServerDigest] {
        var found = digests(in: head.otherFields, head, Extent(head, body))
        if etagIsMD5, let digest = head.etag.flatMap(md5(etag:)) { found.append(ServerDigest(field: "ETag", digest)) }
        return found
    }

    /// What the fields behind a body say; each stands for itself beside those of the head (RFC 9110, 6.5.1).
    package static func digests(
        in trailer: [ReplyHead.Field], behind body: ReplyMeaning.Body, of head: ReplyHead
    ) -> [ServerDigest] {
        var whole = head
        whole.otherFields += trailer
        return digests(in: trailer, whole, Extent(head, body))
    }

    private static func digests(in fields: [ReplyHead.Field], _ head: ReplyHead, _ extent: Extent) -> [ServerDigest] {
        var found: [ServerDigest] = []
        var names: [String] = []
        for field in fields where !names.contains(field.name) { names.append(field.name) }
        for name in names {
            // Several fields of one name are one list (RFC 9110, 5.3).
            let value = fields.filter { $0.name == name }.map(\.value).joined(separator: ", ")
            found += digests(name, value, head, extent)
        }
        return found
    }

    /// The MD5 that an entity tag is; nil for a tag of another form, such as that of an upload in parts.
    package static func md5(etag: String) -> Digest? {
        let opaque = etag.utf8.dropFirst().dropLast()
        guard etag.utf8.first == UInt8(ascii: "\""), etag.utf8.last == UInt8(ascii: "\""), opaque.count == 32 else {
            return nil
        }
        return Hexadecimal.bytes(opaque).flatMap { Digest(.md5, bytes: $0) }
    }

    /// Which bytes of the file a reply holds.
    private struct Extent {
        /// nil for all of the file.
        var range: Range<Int64>?
        /// Whether the range is known.
        var isKnown = true

        init(_ head: ReplyHead, _ body: ReplyMeaning.Body) {
            guard head.status == 206 else { return }
            guard let text = head.contentRange, case .span(let first, let last, let total) = ContentRange(text),
                last < .max
            else {
                isKnown = false
                return
            }
            if first > 0 || last + 1 != total ?? body.total { range = first..<last + 1 }
        }

        var isWhole: Bool { isKnown && range == nil }
    }

    private static func digests(
        _ name: String, _ value: String, _ head: ReplyHead, _ extent: Extent
    ) -> [ServerDigest] {
        func whole(_ digests: [Digest]) -> [ServerDigest] { digests.map { ServerDigest(field: shown(name), $0) } }
        switch name {
        case "repr-digest": return whole(structured(value))
        case "content-digest" where extent.isKnown:
            return structured(value).map { ServerDigest(field: shown(name), $0, range: extent.range) }
        // RFC 3230, 4.1: of the whole instance, also in a reply that has a part of it.
        case "digest": return whole(list(value))
        // Servers never agreed on what it covers in a part of a file (RFC 7231, appendix B).
        case "content-md5" where extent.isWhole: return whole(base64(.md5, value))
        case "x-ms-blob-content-md5": return whole(base64(.md5, value))
        case "x-goog-hash" where isStoredForm(head): return whole(list(value))
        // A value of parts is no digest of the whole, and a part's reply may carry the part's.
        case "x-amz-checksum-sha256" where extent.isWhole && !isComposite(head): return whole(base64(.sha256, value))
        case "x-amz-checksum-sha1" where extent.isWhole && !isComposite(head): return whole(base64(.sha1, value))
        case "x-amz-checksum-crc32" where extent.isWhole && !isComposite(head): return whole(base64(.crc32, value))
        case "x-amz-checksum-crc32c" where extent.isWhole && !isComposite(head): return whole(base64(.crc32c, value))
        case "x-amz-checksum-crc64nvme" where extent.isWhole && !isComposite(head):
            return whole(base64(.crc64nvme, value))
        case "x-bz-content-sha1": return whole(hexadecimal(.sha1, value))
        default:
            return algorithm(ofOwnField: name).map { whole(hexadecimal($0, value)) } ?? []
        }
    }

    // MARK: Spellings

    /// A dictionary of byte sequences (RFC 9530, section 2).
    private static func structured(_ value: String) -> [Digest] {
        (StructuredField.dictionary(value) ?? []).compactMap { entry in
            guard case .bytes(let bytes)? = entry.member.item, let algorithm = algorithm(named: entry.key) else {
                return nil
            }
            return Digest(algorithm, bytes: bytes)
        }
    }

    /// `name=base64, name=base64` (RFC 3230, 4.3.2); names without regard to case.
    private static func list(_ value: String) -> [Digest] {
        value.split(separator: ",").flatMap { item -> [Digest] in
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let algorithm = algorithm(named: trimmed(halves[0]).lowercased()) else {
                return []
            }
            return base64(algorithm, halves[1])
        }
    }

    private static func base64(_ algorithm: DigestAlgorithm, _ value: some StringProtocol) -> [Digest] {
        let digest = Base64.bytes(trimmed(value).utf8).flatMap { Digest(algorithm, bytes: $0) }
        return digest.map { [$0] } ?? []
    }

    private static func hexadecimal(_ algorithm: DigestAlgorithm, _ value: String) -> [Digest] {
        let digest = Hexadecimal.bytes(trimmed(value).utf8).flatMap { Digest(algorithm, bytes: $0) }
        return digest.map { [$0] } ?? []
    }

    private static func trimmed(_ value: some StringProtocol) -> String {
        String(decoding: value.utf8.filter { !" \t\"".utf8.contains($0) }, as: UTF8.self)
    }

    // MARK: Names

    /// Keys of the registry of hash algorithms for HTTP digest fields (RFC 9530, 7.2).
    private static func algorithm(named name: String) -> DigestAlgorithm? {
        switch name {
        case "sha-256", "sha256": .sha256
        case "sha-512", "sha512": .sha512
        case "sha", "sha-1", "sha1": .sha1
        case "md5": .md5
        case "crc32c": .crc32c
        default: nil
        }
    }

    /// `X-File-SHA256`, `X-Checksum-Md5` and their like, as repositories of build results send them.
    private static func algorithm(ofOwnField name: String) -> DigestAlgorithm? {
        for prefix in ["x-file-", "x-checksum-"] where name.hasPrefix(prefix) {
            return DigestAlgorithm(spelling: String(name.dropFirst(prefix.count)))
        }
        return nil
    }

    /// A field's name as people write it.
    private static func shown(_ name: String) -> String {
        let words = name.split(separator: "-").map { word in
            ["md5", "ms", "amz", "crc32", "crc32c", "crc64nvme"].contains(word)
                || DigestAlgorithm(spelling: String(word)) != nil
                ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
        }
        return words.joined(separator: "-")
    }

    // MARK: What a digest is of

    /// The store keeps the digest of what it keeps, which is another thing when it decodes on the way out.
    private static func isStoredForm(_ head: ReplyHead) -> Bool {
        let stored = head.otherFields.first { $0.name == "x-goog-stored-content-encoding" }?.value ?? "identity"
        return stored.lowercased() == (head.contentEncoding ?? "identity").lowercased()
    }

    private static func isComposite(_ head: ReplyHead) -> Bool {
        head.otherFields.contains { $0.name == "x-amz-checksum-type" && $0.value.uppercased() == "COMPOSITE" }
    }
}
