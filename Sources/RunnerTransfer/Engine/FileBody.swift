internal import LibCurl
import RunnerJob

#if canImport(Glibc)
    import Glibc
#endif

/// A request's body that is read from a file while it is sent.
///
/// Belongs to the network thread. A file that gets shorter meanwhile ends the request, since its length was promised.
final class FileBody: EasyBody {
    private let file: Int32
    private var offset: Int64 = 0
    /// Bytes that the file had when it was opened, and that are sent.
    let length: Int64

    /// - Throws: class `input` when the file cannot be read.
    init(path: String) throws(Fault) {
        file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Fault(.input, .unreadable(field: "body", path: path, errno: errno)) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw Fault(.input, .unreadable(field: "body", path: path, errno: EINVAL))
        }
        length = Int64(status.st_size)
    }

    deinit {
        close(file)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = Int(min(Int64(buffer.count), length - offset))
        guard wanted > 0 else { return 0 }
        let count = pread(file, buffer.baseAddress, wanted, off_t(offset))
        guard count > 0 else { return nil }
        offset += Int64(count)
        return count
    }

    func seek(to offset: Int64) -> Bool {
        guard 0...length ~= offset else { return false }
        self.offset = offset
        return true
    }
}
