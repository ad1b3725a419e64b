internal import Glibc
internal import Synchronization

/// An open file descriptor as ``Output``; it is never closed.
package final class DescriptorOutput: Output {
    private enum State {
        case open
        /// A write failed with this error: the reader is gone, or the disk is full.
        case broken(Int32)
    }

    private let descriptor: Int32
    private let state = Mutex(State.open)
    package let isTerminal: Bool

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    package var size: TerminalSize? {
        var window = winsize()
        // ioctl_tty(2): a terminal that does not know its size says 0.
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return nil
        }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    package var failure: Int32? {
        state.withLock { if case .broken(let errno) = $0 { errno } else { nil } }
    }

    package func write(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            guard case .open = state else { return }
            var remaining = ArraySlice(bytes)
            while !remaining.isEmpty {
                let count = remaining.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    remaining.removeFirst(count)
                } else if errno == EAGAIN {
                    waitUntilWritable()
                } else if errno != EINTR {
                    state = .broken(errno)
                    return
                }
            }
        }
    }

    /// Waits on a descriptor that someone else has made non-blocking.
    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
