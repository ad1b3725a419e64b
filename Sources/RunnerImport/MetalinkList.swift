internal import LibExpat
internal import RunnerJob

/// Metalink 4 (RFC 5854), and 3, which it came from.
struct MetalinkList {
    private var assembly: TaskAssembly

    private enum Version: String {
        case three = "http://www.metalinker.org/"
        case four = "urn:ietf:params:xml:ns:metalink"
    }

    /// - Throws: the fault of a text that is no Metalink.
    static func read(
        _ bytes: [UInt8], base: SourceURL?, _ findings: inout ImportFindings
    ) throws(ListFault) -> ImportedList {
        let root: XMLElement
        do throws(XMLFault) {
            root = try XMLDocument.read(bytes)
        } catch {
            throw ListFault(
                error.message, at: Place(line: Int32(clamping: error.line), column: Int32(clamping: error.column)))
        }
        guard root.name == "metalink", let version = Version(rawValue: root.namespace) else {
            throw ListFault(
                "this is no Metalink: its root is another element than `metalink` of version 3 or 4", at: root.place)
        }
        var list = Self(assembly: TaskAssembly(base: base, renames: false))
        let files = version == .four ? root : root.child(named: "files")
        for file in files?.children(named: "file") ?? [] { list.add(file, version, &findings) }
        return ImportedList(tasks: list.assembly.tasks)
    }

    private mutating func add(_ file: XMLElement, _ version: Version, _ findings: inout ImportFindings) {
        guard let name = Self.name(of: file, &findings) else { return }
        let parts = version == .four ? file : file.child(named: "verification")
        var fields: [ImportedField] = []
        if let size = file.child(named: "size") {
            if let bytes = Int64(size.text.trimmingBlanks()), bytes >= 0 {
                fields.append(ImportedField("size", .text(String(bytes))))
            } else {
                findings.error("a size is a number of bytes", at: size.place)
            }
        }
        fields += Self.digests(parts?.children(named: "hash") ?? [], &findings)
        for part in parts?.children(named: "signature") ?? [] {
            findings.leaveOut("a signature", "is not verified and was left out", at: part.place)
        }
        let urls = urls(of: file, version, &findings)
        guard let first = urls.first else {
            findings.warning("\(shown(name)) has no URL that can be fetched, and was left out", at: file.place)
            return
        }
        assembly.add(
            urls, to: name, fields + ImportedSettings().fields(for: first, &findings), at: file.place, &findings)
    }

    /// The name of a file; nil where it would leave the folder (RFC 5854 section 4.1.2.1), which has been told then.
    private static func name(of file: XMLElement, _ findings: inout ImportFindings) -> String? {
        guard let name = file.attributes["name"], !name.isEmpty else {
            findings.error("a file has no `name`", at: file.place)
            return nil
        }
        // A backslash parts folders on other systems, where a colon stands behind a drive.
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
        let isDrive = name.dropFirst().hasPrefix(":\\") || name.dropFirst().hasPrefix(":/")
        guard !parts.contains(".."), parts.first?.isEmpty == false, !isDrive, !name.hasSuffix("/") else {
            findings.error(
                "the name \(shown(name)) leads out of the folder, or names none; it is refused", at: file.place)
            return nil
        }
        return name
    }

    private static func digests(_ hashes: [XMLElement], _ findings: inout ImportFindings) -> [ImportedField] {
        var fields: [ImportedField] = []
        for hash in hashes {
            let type = (hash.attributes["type"] ?? "").trimmingBlanks()
            guard let algorithm = DigestAlgorithm(spelling: type) else {
                findings.leaveOut("a hash of type \(shown(type))", "is not known and was left out", at: hash.place)
                continue
            }
            do throws(DigestFault) {
                let found = try Digest.parse(hash.text.trimmingBlanks(), algorithm: algorithm)
                for digest in found where !fields.contains(where: { $0.key == algorithm.rawValue }) {
                    fields.append(ImportedField(algorithm.rawValue, .text(digest.hex)))
                }
            } catch {
                findings.error(error.description, at: hash.place)
            }
        }
        return fields
    }

    /// What a file can be fetched from, the preferred first.
    private func urls(
        of file: XMLElement, _ version: Version, _ findings: inout ImportFindings
    ) -> [SourceURL] {
        let elements =
            version == .four
            ? file.children(named: "url") : file.child(named: "resources")?.children(named: "url") ?? []
        for torrent in file.children(named: "metaurl") {
            findings.leaveOut(
                "a `metaurl`", "names another description of the file and was left out", at: torrent.place)
        }
        var found: [(url: SourceURL, rank: Int)] = []
        for element in elements {
            let type = element.attributes["type"]?.lowercased()
            guard version == .four || type != "bittorrent" else {
                findings.leaveOut("a torrent", "cannot be fetched and was left out", at: element.place)
                continue
            }
            guard let url = assembly.url(element.text.trimmingBlanks(), at: element.place, &findings),
                !found.contains(where: { $0.url.url == url.url })
            else { continue }
            found.append((url, Self.rank(element, version, &findings)))
        }
        // The order of the file where two are alike.
        return found.enumerated().sorted { left, right in
            (left.element.rank, left.offset) < (right.element.rank, right.offset)
        }.map(\.element.url)
    }

    /// Smaller is asked first: a priority from 1 to 999999 (RFC 5854 section 4.2.16), or a preference up to 100, whose
    /// best is the highest.
    private static func rank(_ element: XMLElement, _ version: Version, _ findings: inout ImportFindings) -> Int {
        let last = 1_000_000
        switch version {
        case .four:
            guard let text = element.attributes["priority"] else { return last }
            if let priority = Int(text), 1..<last ~= priority { return priority }
            findings.warning("a priority is from 1 to 999999; this one is taken for none", at: element.place)
            return last
        case .three:
            guard let text = element.attributes["preference"] else { return last }
            if let preference = Int(text), 0...100 ~= preference { return 100 - preference }
            findings.warning("a preference is from 0 to 100; this one is taken for none", at: element.place)
            return last
        }
    }
}

extension XMLElement {
    fileprivate var place: Place { Place(line: Int32(clamping: line), column: 1) }
}
