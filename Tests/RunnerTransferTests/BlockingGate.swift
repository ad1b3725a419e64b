import Glibc
import TestSupport

/// Holds a worker's thread until the test lets it go on, once.
final class BlockingGate: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func open() {
        var byte: UInt8 = 1
        write(writing, &byte, 1)
    }

    func wait() {
        var byte: UInt8 = 0
        while read(reading, &byte, 1) < 0, errno == EINTR {}
    }
}
