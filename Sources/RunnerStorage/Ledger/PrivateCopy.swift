internal import Glibc

/// A copy of a database and its log in a folder that only this user may enter.
struct PrivateCopy {
    private let folder: String
    /// The copied database.
    var path: String { folder + "/" + LedgerFile.name }

    /// Copies `path`, and `-wal` and `-journal` beside it where they are.
    ///
    /// Whether another run wrote in between is for the caller to find out.
    init(of source: String) throws(SystemError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/runner.XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        guard made else { throw SystemError(errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(SystemError) {
            try Self.copy(source, to: path)
            for suffix in ["-journal", "-wal"] where access(source + suffix, F_OK) == 0 {
                try Self.copy(source + suffix, to: path + suffix)
            }
        } catch {
            remove()
            throw error
        }
    }

    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        rmdir(folder)
    }

    private static func copy(_ source: String, to target: String) throws(SystemError) {
        let reading = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard reading >= 0 else { throw SystemError(errno) }
        defer { close(reading) }
        let writing = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard writing >= 0 else { throw SystemError(errno) }
        defer { close(writing) }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(errno) }
            if count == 0 { return }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { bytes in
                    bytes.baseAddress.map { write(writing, $0 + done, count - done) } ?? -1
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw SystemError(errno) }
                done += written
            }
        }
    }
}
