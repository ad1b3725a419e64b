import Glibc

/// A new empty folder that removes itself, with all that is in it, when it is released.
package final class TemporaryDirectory: Sendable {
    /// The folder's absolute path, without links in it.
    package let path: String

    /// Makes the folder below `TMPDIR`, or below /tmp.
    package init() throws(SystemFailure) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/runner-test.XXXXXX".utf8CString)
        let made: String? = template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, mkdtemp(start) != nil, let real = realpath(start, nil) else {
                return nil
            }
            defer { free(real) }
            return String(cString: real)
        }
        guard let made else { throw SystemFailure("mkdtemp") }
        path = made
    }

    deinit {
        remove(path)
    }

    /// The absolute path of a name in the folder.
    package func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, making the folders it lies in, and returns its absolute path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws(SystemFailure) -> String {
        let parts = name.split(separator: "/")
        for depth in parts.indices.dropLast() {
            mkdir(path(parts[...depth].joined(separator: "/")), 0o777)
        }
        let target = path(name)
        try DiskFile.write(target, bytes)
        return target
    }

    /// Writes a file of UTF-8 text and returns its absolute path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws(SystemFailure) -> String {
        try write(name, Array(text.utf8))
    }

    /// The bytes of a file in the folder; `nil` when there is none.
    package func read(_ name: String) -> [UInt8]? {
        DiskFile.read(path(name))
    }

    /// All files below the folder, as paths relative to it, sorted; folders are not listed.
    package func files() -> [String] {
        list("").sorted()
    }

    private func list(_ prefix: String) -> [String] {
        DiskFile.entries(path(prefix)).flatMap { name in
            let relative = prefix + name
            return DiskFile.isFolder(path(relative)) ? list(relative + "/") : [relative]
        }
    }

    private func remove(_ target: String) {
        if DiskFile.isFolder(target) {
            // A test may have taken its own rights away.
            chmod(target, 0o700)
            for name in DiskFile.entries(target) { remove("\(target)/\(name)") }
            rmdir(target)
        } else {
            unlink(target)
        }
    }
}
