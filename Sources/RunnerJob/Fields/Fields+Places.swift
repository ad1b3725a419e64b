extension Fields {
    /// A path that a task reads or writes.
    ///
    /// An absolute path inside the job's directory is the same as the relative one.
    func path(_ text: String, in root: PathRoot, at place: Place) -> TargetPath? {
        do throws(PathFault) {
            let path = try TargetPath(root.joined(text))
            let root = root.directory == "/" ? "/" : root.directory + "/"
            guard path.text.utf8.starts(with: root.utf8), path.text.utf8.count > root.utf8.count else { return path }
            return TargetPath(normalized: String(decoding: path.text.utf8.dropFirst(root.utf8.count), as: UTF8.self))
        } catch {
            faults.error(error.description, at: place)
            return nil
        }
    }

    /// A path of a file that a task reads or writes; a final slash is an error.
    func filePath(_ node: Node, _ key: String, in root: PathRoot) -> TargetPath? {
        guard let text = text(node, key) else { return nil }
        if text.utf8.last == UInt8(ascii: "/") {
            faults.error("`\(key)` wants a file; a path that ends in `/` is a folder", at: node.place)
            return nil
        }
        return path(text, in: root, at: node.place)
    }

    /// A path that configures, or the job's directory: made absolute, `..` allowed.
    func absolutePath(_ text: String, in folder: String, at place: Place) -> String? {
        do throws(PathFault) {
            if text.isEmpty { throw .empty }
            if text.utf8.first == UInt8(ascii: "~") { throw .tilde }
            return try TargetPath.normalize(text.utf8.first == UInt8(ascii: "/") ? text : folder + "/" + text)
        } catch {
            faults.error(error == .outside ? "the path leads above the root folder" : error.description, at: place)
            return nil
        }
    }

    /// A URL; user and password in it become secrets.
    func url(_ node: Node, _ key: String) -> SourceURL? {
        guard let text = text(node, key) else { return nil }
        return url(text, at: node.place)
    }

    func url(_ text: String, at place: Place) -> SourceURL? {
        do throws(URLFault) {
            let text = text.trimmingBlanks()
            if let url = knownAuthority?.url(text, at: place) { return url }
            let url = try SourceURL(text, at: place)
            knownAuthority = KnownAuthority(of: url, written: text) ?? knownAuthority
            if let credentials = url.credentials { secrets.formUnion(credentials.secrets) }
            return url
        } catch {
            faults.error(error.description, at: place)
            return nil
        }
    }
}
