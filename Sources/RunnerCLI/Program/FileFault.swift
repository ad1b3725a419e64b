internal import Glibc
internal import RunnerReport

/// A file that could not be read or written, with the system's reason.
package struct FileFault: Error, Hashable {
    /// The path as the user wrote it, or `standard input`.
    package var path: String
    /// A value of errno(3).
    package var code: Int32

    package init(path: String, code: Int32) {
        self.path = path
        self.code = code
    }

    /// The system's reason in words.
    package var reason: String { String(cString: strerror(code)) }

    /// The path and the reason in words, without final stop.
    package var message: String {
        "\(path.printable): \(reason)"
    }
}
