internal import CLibSSL
import Glibc

/// A pipe from a child's output to a reading thread.
final class Pipe: Sendable {
    private let reading: Int32
    /// The end that the child gets.
    let writing: Int32

    init() throws(SystemFailure) {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutableBytes(of: &ends) { buffer in
            // pipe(2) fills an array of two.
            runner_pipe(buffer.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard result == 0 else { throw SystemFailure("pipe2") }
        (reading, writing) = ends
    }

    deinit {
        close(reading)
    }

    /// Closes our copy of the child's end, so that the child's exit ends the stream; to be called once.
    func closeWriting() {
        close(writing)
    }

    /// The next bytes; `nil` at the end.
    func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            var got = Glibc.read(reading, buffer.baseAddress, 65_536)
            while got < 0, errno == EINTR { got = Glibc.read(reading, buffer.baseAddress, 65_536) }
            count = max(0, got)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

/// A nameless file with a child's standard input, which needs no thread to feed it.
final class InputFile {
    let descriptor: Int32

    init(_ bytes: [UInt8]) throws(SystemFailure) {
        let folder = try TemporaryDirectory()
        descriptor = open(try folder.write("input", bytes), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure("open") }
    }

    deinit {
        close(descriptor)
    }
}
