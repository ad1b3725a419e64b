/// Where the name of a file comes from that `to` does not give.
enum NameSource: String, CaseIterable { case url, server }

/// Reads where a download goes: `to`, and the names that a URL or a server gives.
struct DestinationReader {
    let fields: Fields
    let directory: PathRoot
    let nameSource: NameSource
    let namePlace: Place?

    /// Signs that stand for `${name}`, `${stem}` and `${suffix}` until the server has spoken; no path may hold them.
    private static let signs: [(name: String, sign: Unicode.Scalar, piece: ServerName.Piece)] = [
        ("name", "\u{1}", .name), ("stem", "\u{2}", .stem), ("suffix", "\u{3}", .suffix),
    ]

    private var faults: Faults { fields.faults }

    /// - Parameter place: where the task begins.
    func destination(_ target: Node?, of url: SourceURL, at place: Place) -> Download.Destination? {
        switch nameSource {
        case .url: file(target, of: url, at: place).map { .file($0) }
        case .server: named(target, of: url, at: place).map { .named($0) }
        }
    }

    /// Looks at a path although there is no URL.
    func check(_ target: Node) {
        guard nameSource == .url else { return }
        _ = text(target) { "name" }.flatMap { checkedFile($0, at: target.place) }
    }

    // MARK: Names of the URL

    private func file(_ target: Node?, of url: SourceURL, at place: Place) -> TargetPath? {
        guard let target else { return path(namedAfter: url, in: ".", at: place) }
        guard let text = text(target, named: { url.fileName }) else { return nil }
        guard text.utf8.last == UInt8(ascii: "/") else { return checkedFile(text, at: target.place) }
        return path(namedAfter: url, in: text, at: target.place)
    }

    /// A text that may ask for parts of the URL's name by `${name}`, `${stem}` and `${suffix}`.
    private func text(_ target: Node, named fileName: @escaping () -> String?) -> String? {
        guard target.usesVariables else { return fields.text(target, "to") }
        let names = { (name: String) -> String? in
            guard ["name", "stem", "suffix"].contains(name) else { return nil }
            guard let file = fileName() else {
                faults.error(
                    "the URL gives the file no name that `${\(name)}` could stand for; write it, or `name: server` for the"
                        + " server's", at: target.place)
                return name
            }
            let (stem, suffix) = FileName.split(file)
            return name == "name" ? file : name == "stem" ? stem : suffix
        }
        return fields.variables.falling(back: names) { fields.text(target, "to") }
    }

    private func checkedFile(_ text: String, at place: Place) -> TargetPath? {
        if text.utf8.last == UInt8(ascii: "/") { return nil }
        if text.utf8.contains(UInt8(ascii: "/")), [".", ".."].contains(text.split(separator: "/").last) {
            // `a/.` is the folder `a` to a shell, and never a file of that name.
            faults.error(PathFault.noName.description, at: place)
            return nil
        }
        return fields.path(text, in: directory, at: place)
    }

    private func path(namedAfter url: SourceURL, in folder: String, at place: Place) -> TargetPath? {
        guard let name = url.fileName else {
            faults.error(
                "the URL gives the file no name; write it, such as `to: folder/name`, or `name: server` for the server's",
                at: place)
            return nil
        }
        do throws(PathFault) {
            let path = try TargetPath(folder: directory.joined(folder), name: name)
            return path.isAbsolute ? fields.path(path.text, in: directory, at: place) : path
        } catch {
            faults.error(error.description, at: place)
            return nil
        }
    }

    // MARK: Names of the server

    private func named(_ target: Node?, of url: SourceURL, at place: Place) -> ServerName? {
        guard let target else { return name(in: ".", [.name], of: url, at: place) }
        let signs = Dictionary(uniqueKeysWithValues: Self.signs.map { ($0.name, String($0.sign)) })
        let text = fields.variables.falling(back: { signs[$0] }) { fields.text(target, "to") }
        guard let text else { return nil }
        if text.utf8.last == UInt8(ascii: "/") { return name(in: text, [.name], of: url, at: target.place) }
        let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(text[...$0]) } ?? "."
        let pieces = pieces(slash.map { String(text[text.utf8.index(after: $0)...]) } ?? text)
        guard pieces.contains(where: { if case .text = $0 { false } else { true } }) else {
            faults.error(
                "`to` gives the file its name, so that `name: server` means nothing; end `to` with `/`, or put ${name},"
                    + " ${stem} or ${suffix} into its last part", at: namePlace ?? target.place)
            return nil
        }
        return name(in: folder, pieces, of: url, at: target.place)
    }

    private func pieces(_ text: String) -> [ServerName.Piece] {
        var pieces: [ServerName.Piece] = []
        var literal = ""
        for scalar in text.unicodeScalars {
            guard let sign = Self.signs.first(where: { $0.sign == scalar }) else {
                literal.unicodeScalars.append(scalar)
                continue
            }
            if !literal.isEmpty { pieces.append(.text(literal)) }
            literal = ""
            pieces.append(sign.piece)
        }
        return literal.isEmpty ? pieces : pieces + [.text(literal)]
    }

    private func name(in folder: String, _ pieces: [ServerName.Piece], of url: SourceURL, at place: Place)
        -> ServerName?
    {
        if folder.unicodeScalars.contains(where: { scalar in Self.signs.contains { $0.sign == scalar } }) {
            faults.error(
                "what the server says can only name the file, not its folder; put ${name}, ${stem} and ${suffix} into the"
                    + " last part of `to`", at: place)
            return nil
        }
        do throws(PathFault) {
            // Seen from the job's directory, an absolute folder inside it is a relative one.
            guard let probe = fields.path(folder + (folder.hasSuffix("/") ? "x" : "/x"), in: directory, at: place)
            else {
                return nil
            }
            let parent = probe.text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(probe.text[..<$0]) } ?? ""
            let folder = parent.isEmpty && probe.isAbsolute ? "/" : parent
            return try ServerName(folder: folder, pieces: pieces, task: url.url.text)
        } catch {
            faults.error(error.description, at: place)
            return nil
        }
    }
}
