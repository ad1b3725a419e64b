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
        let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemFailure("open \(target)") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemFailure("write \(target)") }
            rest = rest.dropFirst(count)
        }
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

/// Reads of the disk for tests.
package enum DiskFile {
    /// The bytes of a file; `nil` when it cannot be read.
    package static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var result: [UInt8] = []
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 262_144) { buffer, count in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, 262_144))
            }
            if piece.isEmpty { return result }
            result += piece
        }
    }

    /// The text of a file; `nil` when it cannot be read.
    package static func text(_ path: String) -> String? {
        read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in a folder without `.` and `..`, sorted; none when it cannot be read.
    package static func entries(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // d_name is a C array that ends in a zero byte (readdir(3)).
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether there is a folder, not a link to one.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
