internal import Glibc

/// Where a job keeps what it knows between runs: `.runner` in its directory, or the folder of `--state`.
///
/// Nothing is made before the first file is written, so that a run that only reads leaves nothing behind.
package struct StateFolder: Sendable {
    /// Absolute path.
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The bytes of a small file in the folder; nil when there is none or it cannot be read.
    package func read(_ name: String, limit: Int = 1 << 20) -> [UInt8]? {
        let file = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var status = stat()
        if fstat(file, &status) == 0, status.st_size > 0 { bytes.reserveCapacity(min(limit, Int(status.st_size))) }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < limit {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Names of the files in a folder of it, in no order; none when there is no such folder.
    package func names(in folder: String) -> [String] {
        guard let stream = opendir("\(path)/\(folder)") else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Puts a file in place as a whole: a kill leaves the old one or the new one (rename(2)).
    ///
    /// - Parameter mode: permission bits of the new file, under the umask.
    package func replace(_ name: String, with bytes: [UInt8], mode: UInt32 = 0o666) throws(StorageError) {
        try replace(name, withPieces: [bytes[...]], mode: mode)
    }

    /// As ``replace(_:with:mode:)``, with bytes that lie in several places.
    package func replace(
        _ name: String, withPieces pieces: [ArraySlice<UInt8>], mode: UInt32 = 0o666
    ) throws(StorageError) {
        let target = "\(path)/\(name)"
        let temporary = "\(target).\(getpid()).tmp"
        var file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode)
        if file < 0, errno == ENOENT {
            try makeFolders(for: name)
            file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode)
        }
        guard file >= 0 else { throw .failed(.create, path: temporary, errno: errno) }
        var failure: Int32 = 0
        for piece in pieces where failure == 0 { failure = Self.write(piece, to: file) }
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(temporary, target) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw .failed(.write, path: target, errno: failure)
        }
    }

    /// - Returns: the code of the call that failed; 0 for none.
    private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Removes a file; one that is not there is no error.
    package func remove(_ name: String) {
        unlink("\(path)/\(name)")
    }

    /// Makes the folders in which a file of that name will lie, the state folder included.
    package func makeFolders(for name: String) throws(StorageError) {
        let full = "\(path)/\(name)"
        for index in full.indices.dropFirst() where full[index] == "/" {
            let folder = String(full[..<index])
            if mkdir(folder, 0o777) != 0, errno != EEXIST, errno != EISDIR {
                throw .failed(.makeFolder, path: folder, errno: errno)
            }
        }
    }
}

/// The kernel's name for the time since it started (proc_sys_kernel(5), `random/boot_id`).
package enum BootID {
    /// Read once; empty where the kernel does not say.
    package static let current: String = {
        let bytes = StateFolder(path: "/proc/sys/kernel/random").read("boot_id") ?? []
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }()
}
