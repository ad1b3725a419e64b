internal import Glibc

/// Why a report cannot be written.
public struct ReportSinkError: Error, Hashable, Sendable {
    /// What was written to: a path, or `standard output`.
    public var subject: String
    /// The `errno` of the call that failed.
    public var errno: Int32

    public init(subject: String, errno: Int32) {
        self.subject = subject
        self.errno = errno
    }

    /// The cause in words, such as `No space left on device`.
    public var cause: String {
        // Glibc's strerror(3) is safe from any thread since 2.32.
        String(cString: strerror(errno))
    }
}

/// A file descriptor that takes a report's lines; closed when the last reference goes, if it was opened here.
///
/// Writing to a pipe that nobody reads raises SIGPIPE: the program must ignore that signal, as `runner` does.
public final class ReportSink: Sendable {
    /// What is written to, in words.
    public let name: String
    private let descriptor: Int32
    private let isOwned: Bool

    /// Opens a file, empty, and makes the folders above it; a file that is there is replaced by the new report.
    ///
    /// - Throws: the first call that failed, with its `errno`.
    public static func file(_ path: String) throws(ReportSinkError) -> ReportSink {
        // Appending keeps the lines of two runs whole where both were given one file.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC
        var descriptor = retrying { open(path, flags, 0o666) }
        if descriptor < 0, errno == ENOENT {
            try makeFolders(above: path)
            descriptor = retrying { open(path, flags, 0o666) }
        }
        guard descriptor >= 0 else { throw ReportSinkError(subject: path, errno: errno) }
        return ReportSink(name: path, descriptor: descriptor, isOwned: true)
    }

    /// The standard output of the program.
    public static let standardOutput = ReportSink(name: "standard output", descriptor: 1, isOwned: false)

    /// Writes to a descriptor that the caller keeps open and closes.
    public convenience init(name: String, borrowing descriptor: Int32) {
        self.init(name: name, descriptor: descriptor, isOwned: false)
    }

    private init(name: String, descriptor: Int32, isOwned: Bool) {
        self.name = name
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { _ = close(descriptor) }
    }

    /// Writes all of the bytes; waits where the other side is slow.
    func write(_ bytes: [UInt8]) throws(ReportSinkError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The pointer is used inside the call only, as write(2) asks.
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if written < 0, errno == EAGAIN {
                // Somebody made the descriptor non-blocking: wait until it takes more.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if written < 0, errno != EINTR {
                throw ReportSinkError(subject: name, errno: errno)
            }
        }
    }

    private static func makeFolders(above path: String) throws(ReportSinkError) {
        let bytes = Array(path.utf8)
        for slash in bytes.indices where slash > 0 && bytes[slash] == UInt8(ascii: "/") {
            let folder = String(decoding: bytes[..<slash], as: UTF8.self)
            guard mkdir(folder, 0o777) != 0, errno != EEXIST else { continue }
            let code = errno
            // A folder that is there may answer with another error, such as EROFS (mkdir(2)).
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw ReportSinkError(subject: folder, errno: code)
            }
        }
    }

    private static func retrying(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
