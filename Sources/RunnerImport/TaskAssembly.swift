internal import RunnerJob

/// Makes tasks of the URLs of a list: looks at each, and finds a name for what has none.
struct TaskAssembly {
    /// What relative URLs are resolved against.
    private let base: SourceURL?
    /// Whether a name is made another one where two tasks have it, as download programs do; else that is a fault.
    private let renames: Bool
    private(set) var tasks: [ImportedTask] = []
    /// Where the paths stand that are written already.
    private var written: [ExactText: Place] = [:]
    /// Where the paths stand that lie in a folder.
    private var folders: [ExactText: Place] = [:]
    /// The numbers behind names that stand more than once.
    private var numbers: [ExactText: Int] = [:]
    private var known: [Request: Place] = [:]

    /// What is asked for under its own name.
    private struct Request: Hashable {
        var url: String
        var fields: [ImportedField]
    }

    init(base: SourceURL?, renames: Bool) {
        self.base = base
        self.renames = renames
    }

    /// Reads a URL of a list.
    ///
    /// - Returns: nil where it is none, or none that can be fetched, which has been told then.
    func url(_ text: String, at place: Place, _ findings: inout ImportFindings) -> SourceURL? {
        do throws(URLFault) {
            return try SourceURL(text, at: place)
        } catch {
            switch error {
            case .noScheme, .empty:
                if let base, let url = URLResolution.resolve(base, text) {
                    return SourceURL(url: url.url.text, origin: url.origin, credentials: url.credentials, place: place)
                }
                // A scheme without two slashes, as `magnet:?…`.
                fallthrough
            case .unknownScheme:
                if let scheme = Self.foreignScheme(text) {
                    findings.leaveOut("`\(scheme):`", "cannot be fetched and was left out", at: place)
                    return nil
                }
                if case .noScheme = error {
                    findings.error(error.description + ", or give --base", at: place)
                } else {
                    findings.error(error.description, at: place)
                }
            default: findings.error(error.description, at: place)
            }
            return nil
        }
    }

    /// The scheme of a text that has one which is not spoken here; nil where it may be a host or a path.
    private static func foreignScheme(_ text: String) -> String? {
        let scheme = text.prefix { $0 != ":" }
        guard scheme.utf8.count < text.utf8.count, scheme.first?.isLetter == true,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-".contains($0)) })
        else { return nil }
        let rest = text.dropFirst(scheme.count + 1)
        return rest.hasPrefix("//") || rest.hasPrefix("?") ? scheme.lowercased() : nil
    }

    /// Adds a download.
    ///
    /// - Parameters:
    ///   - to: a path, or a folder that ends in `/`; nil for the URL's own name.
    ///   - fields: what else the list says of it.
    mutating func add(
        _ urls: [SourceURL], to: String?, _ fields: [ImportedField], at place: Place, _ findings: inout ImportFindings
    ) {
        guard let first = urls.first else { return }
        let texts = urls.map(\.url.text)
        let request = Request(url: first.url.text, fields: fields)
        if to == nil, renames, let earlier = known[request] {
            findings.warning(
                "this URL stands in the list before, and is fetched once", at: place,
                notes: [Diagnostic.Note("here", at: earlier)])
            return
        }
        if to == nil { known[request] = place }
        for url in urls.dropFirst() where url.credentials != nil && url.credentials != first.credentials {
            findings.leaveOut("the login in a further URL of a file", ImportWords.noCounterpart, at: url.place)
        }
        do throws(PathFault) {
            let isFolder = to?.hasSuffix("/") ?? true
            // What wget and aria2 call a file whose URL ends in a slash.
            let name = first.fileName ?? "index.html"
            let folder = isFolder ? to ?? "" : ""
            let path =
                isFolder ? try TargetPath(folder: folder.isEmpty ? "." : folder, name: name) : try TargetPath(to ?? "")
            guard let free = freePath(path, at: place, &findings), takeFolders(of: free, at: place, &findings) else {
                return
            }
            let isOwnName = to == nil && first.fileName != nil && free == path.text
            tasks.append(ImportedTask(urls: texts, to: isOwnName ? nil : free, fields: fields))
        } catch {
            findings.error(error.description, at: place)
        }
    }

    /// Notes the folders of a path; false where one is another file, or the path is a folder of one, or where the state of
    /// runs lies, which has been told then.
    private mutating func takeFolders(of path: String, at place: Place, _ findings: inout ImportFindings) -> Bool {
        guard path.split(separator: "/").first != ".runner" || path.hasPrefix("/") else {
            findings.error("\(shown(path)) is where `.runner` keeps what runs leave", at: place)
            return false
        }
        if let file = folders[ExactText(path)] {
            findings.error(
                "\(shown(path)) is a file here, and a folder elsewhere", at: place,
                notes: [Diagnostic.Note("with this in it", at: file)])
            return false
        }
        for slash in path.indices where path[slash] == "/" && slash > path.startIndex {
            let folder = ExactText(String(path[..<slash]))
            if let file = written[folder] {
                findings.error(
                    "\(shown(path)) lies in a folder that is a file elsewhere", at: place,
                    notes: [Diagnostic.Note("here", at: file)])
                return false
            }
            if folders[folder] == nil { folders[folder] = place }
        }
        return true
    }

    /// The path, or another one where it is taken; nil where that is a fault, which has been told then.
    private mutating func freePath(_ path: TargetPath, at place: Place, _ findings: inout ImportFindings) -> String? {
        guard let earlier = written[path.path] else {
            written[path.path] = place
            return path.text
        }
        guard renames else {
            findings.error(
                "\(shown(path.text)) is written twice", at: place, notes: [Diagnostic.Note("first here", at: earlier)])
            return nil
        }
        var number = numbers[path.path] ?? 0
        var other: String
        repeat {
            number += 1
            other = "\(path.text).\(number)"
        } while written[ExactText(other)] != nil
        numbers[path.path] = number
        written[ExactText(other)] = place
        findings.warning(
            "\(shown(path.text)) is taken, so that this goes to \(shown(other))", at: place,
            notes: [Diagnostic.Note("by this", at: earlier)])
        return other
    }
}
