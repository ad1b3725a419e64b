internal import RunnerJob

/// A checksum list: each file it names is fetched from below one URL.
enum ChecksumImport {
    static func read(
        _ text: ListText, named name: String, base: SourceURL?, _ findings: inout ImportFindings
    ) -> ImportedList {
        guard let base else {
            findings.error(
                "a checksum list does not say where its files are; give --base URL", at: Place(line: 1, column: 1))
            return ImportedList()
        }
        var assembly = TaskAssembly(base: base, renames: false)
        let parser = ChecksumLineParser(listName: name)
        for line in text.lines {
            switch parser.parse(Array(line.text.utf8)[...]) {
            case .nothing: continue
            case .unreadable:
                findings.error("this is no line of a checksum list, such as `DIGEST  path`", at: line.place)
            case .entry(nil, _):
                findings.error("this digest has no name of a file behind it", at: line.place)
            case .entry(let bytes?, let digest):
                add(String(decoding: bytes, as: UTF8.self), digest, base, at: line.place, &assembly, &findings)
            }
        }
        return ImportedList(tasks: assembly.tasks)
    }

    private static func add(
        _ path: String, _ digest: Digest, _ base: SourceURL, at place: Place, _ assembly: inout TaskAssembly,
        _ findings: inout ImportFindings
    ) {
        guard let relative = try? TargetPath(path), !relative.isAbsolute else {
            findings.error("\(shown(path)) is no path below the list's folder", at: place)
            return
        }
        guard let url = assembly.url(RelativeReference.of(relative), at: place, &findings) else { return }
        assembly.add(
            [url], to: relative.text, [ImportedField(digest.algorithm.rawValue, .text(digest.hex))], at: place,
            &findings)
    }
}

/// Paths of files as references of URLs (RFC 3986 section 4.2).
enum RelativeReference {
    /// The path with all encoded that means something in a URL; a first part with a colon is no scheme.
    static func of(_ path: TargetPath) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("./".utf8)
        for byte in path.text.utf8 {
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "-._~/!$&'()*+,;=:@".utf8.contains(byte)
            if isPlain {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
