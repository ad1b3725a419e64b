internal import Glibc

/// System calls on names that are bytes, since names in archives, and on the disk, need not be UTF-8.
enum RawName {
    /// Lends the name with a zero behind it.
    @inline(__always)
    static func with<Result>(_ name: some Collection<UInt8>, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer in
            var index = 0
            for byte in name {
                buffer[index] = CChar(bitPattern: byte)
                index += 1
            }
            buffer[index] = 0
            // The buffer holds at least the zero, so that it has an address.
            guard let start = buffer.baseAddress else { return body("") }
            return body(start)
        }
    }

    static func open(
        _ name: some Collection<UInt8>, in folder: Int32, flags: Int32, mode: UInt32 = 0
    ) throws(SystemError) -> Int32 {
        try repeating { with(name) { openat(folder, $0, flags | O_CLOEXEC, mode) } }
    }

    static func status(of name: some Collection<UInt8>, in folder: Int32) throws(SystemError) -> stat {
        var status = stat()
        _ = try repeating { with(name) { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) } }
        return status
    }

    static func makeFolder(_ name: some Collection<UInt8>, in folder: Int32, mode: UInt32) throws(SystemError) {
        _ = try repeating { with(name) { mkdirat(folder, $0, mode) } }
    }

    static func remove(_ name: some Collection<UInt8>, in folder: Int32, isFolder: Bool) throws(SystemError) {
        _ = try repeating { with(name) { unlinkat(folder, $0, isFolder ? AT_REMOVEDIR : 0) } }
    }

    static func rename(
        _ name: some Collection<UInt8>, in folder: Int32, to other: some Collection<UInt8>, in otherFolder: Int32
    ) throws(SystemError) {
        _ = try repeating { with(name) { name in with(other) { renameat(folder, name, otherFolder, $0) } } }
    }

    /// The names in an open folder, in no order, but for `.` and `..`.
    ///
    /// - Parameter folder: a descriptor that can be read; the caller keeps it.
    static func names(in folder: Int32) throws(SystemError) -> [[UInt8]] {
        // fdopendir(3) takes the descriptor over, so that it gets one of its own.
        let own = try repeating { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(own) else {
            let code = errno
            close(own)
            throw SystemError(code)
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError(errno) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let start = UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
                // d_name is a C array that ends in a zero byte (readdir(3)).
                return Array(
                    UnsafeBufferPointer(
                        start: start, count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))))
            }
            if name != [UInt8(ascii: ".")], name != [UInt8(ascii: "."), UInt8(ascii: ".")] { names.append(name) }
        }
    }
}
