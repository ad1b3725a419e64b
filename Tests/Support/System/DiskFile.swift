import Glibc

/// Plain reads and writes of the disk for tests.
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

    /// Writes a file, in place of any before.
    package static func write(_ path: String, _ bytes: [UInt8]) throws(SystemFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemFailure("open \(path)") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemFailure("write \(path)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes a file of UTF-8 text, in place of any before.
    package static func write(_ path: String, _ text: String) throws(SystemFailure) {
        try write(path, Array(text.utf8))
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
