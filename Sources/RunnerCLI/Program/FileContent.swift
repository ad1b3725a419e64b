internal import Glibc

/// Reads the files that a user names.
package enum FileContent {
    /// The longest job file that is read, in bytes; far above any that a person or a script would write.
    package static let ceiling = 256 << 20

    /// The bytes of a file.
    ///
    /// - Throws: ``FileFault`` with the code of the call that failed, `EFBIG` above the ceiling.
    package static func read(_ path: String, named name: String) throws(FileFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(path: name, code: errno) }
        defer { close(descriptor) }
        return try read(descriptor, named: name)
    }

    /// The bytes of an open descriptor up to its end; pipes and terminals too.
    package static func read(_ descriptor: Int32, named name: String) throws(FileFault) -> [UInt8] {
        var content: [UInt8] = []
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size > 0 { content.reserveCapacity(min(ceiling, status.st_size)) }
        try pieces(of: descriptor, named: name) { piece in
            content.append(contentsOf: piece)
            return content.count <= ceiling
        }
        guard content.count <= ceiling else { throw FileFault(path: name, code: EFBIG) }
        return content
    }

    /// Hands over the bytes of a file piece by piece, until the closure answers false.
    package static func pieces(
        of path: String, named name: String, _ take: (ArraySlice<UInt8>) -> Bool
    ) throws(FileFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(path: name, code: errno) }
        defer { close(descriptor) }
        try pieces(of: descriptor, named: name, take)
    }

    private static func pieces(
        of descriptor: Int32, named name: String, _ take: (ArraySlice<UInt8>) -> Bool
    ) throws(FileFault) {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileFault(path: name, code: errno)
            }
            if !take(chunk[..<count]) { return }
        }
    }
}
