internal import CLinux
internal import Glibc

/// A pipe through which the kernel moves bytes from a socket into a file, so that they are copied once and not twice
/// (splice(2)).
///
/// One thread at a time uses it. It holds bytes only between a call that fills it and those that empty it.
package final class SplicePipe {
    /// The most that everybody may have (pipe(7), /proc/sys/fs/pipe-max-size).
    package static let largest = 1 << 20
    /// A smaller one costs more calls than it saves copies.
    package static let least = 32 << 10

    private let output: Int32
    private let input: Int32
    /// Most bytes that it can hold.
    package let capacity: Int
    /// Bytes that are in it.
    package private(set) var count = 0

    /// - Throws: EMFILE, ENFILE (pipe(2)); EPERM where it can only be so small that it is of no use, as for a user who
    ///   has many pipes (pipe(7)).
    package init(size: Int = largest) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard runner_pipe(&ends) == 0 else { throw SystemError(errno) }
        (output, input) = (ends[0], ends[1])
        // It stays as it is where it cannot be so large.
        _ = fcntl(input, Int32(runner_set_pipe_size), Int32(clamping: size))
        capacity = Int(fcntl(input, Int32(runner_get_pipe_size)))
        guard capacity >= Self.least else { throw SystemError(EPERM) }
    }

    deinit {
        close(output)
        close(input)
    }

    /// Moves what has come over a socket into the pipe, which has to be empty.
    ///
    /// - Returns: the number of bytes; 0 where the other end has closed.
    /// - Throws: what recv(2) throws, and EINVAL and ENOSYS where this cannot be done.
    package func fill(from socket: Int32, upTo most: Int) throws(SystemError) -> Int {
        let moved = try repeating { runner_splice_into_pipe(socket, input, min(most, capacity)) }
        count += moved
        return moved
    }

    /// Moves bytes to a place of a file.
    func move(to file: Int32, at offset: Int64) throws(SystemError) -> Int {
        let moved = try repeating { runner_splice_into_file(output, file, off_t(offset), count) }
        count -= moved
        return moved
    }

    /// Reads bytes out of the pipe; returns how many.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let read = try repeating { Glibc.read(output, buffer.baseAddress, buffer.count) }
        count -= read
        return read
    }
}
