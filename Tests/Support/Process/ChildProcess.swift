package import Glibc
import Synchronization

/// A program that was started and is watched: its output as lines, its end as a status.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package enum End: Sendable, Equatable {
        /// By itself, with this exit status.
        case exited(Int32)
        /// By this signal.
        case signalled(Int32)
    }

    /// One line of output without its end, and where it was written.
    package struct Line: Sendable, Equatable {
        /// Whether it came on standard error.
        package let isError: Bool
        /// The text; bytes that are not UTF-8 are replaced.
        package let text: String
    }

    /// The process id; another program may have it once the end is known.
    package let pid: pid_t
    private let lines = EventLog<Line>()
    private let bytes = Mutex((output: [UInt8](), error: [UInt8]()))
    private let ends = EventLog<(end: End, time: ContinuousClock.Instant)>()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: Its arguments, without its own name.
    ///   - environment: Its whole environment.
    ///   - folder: Its working directory; `nil` means that of the caller.
    ///   - input: What it reads on standard input.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String], in folder: String? = nil,
        input: [UInt8] = []
    ) throws(SystemFailure) {
        let source = try InputFile(input)
        let output = try Pipe()
        let error = try Pipe()
        pid = try Spawn(path: path, arguments: arguments, environment: environment, folder: folder)
            .start(input: source.descriptor, output: output.writing, error: error.writing)
        output.closeWriting()
        error.closeWriting()
        try watch(output, error)
    }

    /// Reads both streams on a thread each, and learns of the end on a third.
    private func watch(_ output: Pipe, _ error: Pipe) throws(SystemFailure) {
        let readers = [
            try NativeThread { [self] in read(output, isError: false) },
            try NativeThread { [self] in read(error, isError: true) },
        ]
        try NativeThread { [self] in
            for reader in readers { reader.join() }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            // The encoding of wait(2): the low seven bits are the signal, the next byte the exit status.
            let end = status & 0x7F == 0 ? End.exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
            ends.append((end, .now))
        }.detach()
    }

    private func read(_ pipe: Pipe, isError: Bool) {
        var rest: [UInt8] = []
        while let piece = pipe.read() {
            bytes.withLock { if isError { $0.error += piece } else { $0.output += piece } }
            rest += piece
            while let end = rest.firstIndex(of: 10) {
                lines.append(Line(isError: isError, text: String(decoding: rest[..<end], as: UTF8.self)))
                rest.removeFirst(end + 1)
            }
        }
        if !rest.isEmpty { lines.append(Line(isError: isError, text: String(decoding: rest, as: UTF8.self))) }
    }

    /// Sends a signal.
    package func signal(_ number: Int32) {
        kill(pid, number)
    }

    /// Waits until a line for which the condition holds has been written; `nil` when the time is over.
    package func waitForLine(
        for time: Duration = .seconds(60), where condition: @escaping @Sendable (Line) -> Bool
    ) async -> Line? {
        await lines.wait(for: time) { $0.contains(where: condition) }.first(where: condition)
    }

    /// Waits for the end of the program and of its output; when the time is over it is killed.
    package func wait(for time: Duration = .seconds(120)) async -> End {
        if let last = await ends.wait(forCount: 1, for: time).first { return last.end }
        kill(pid, SIGKILL)
        return await ends.wait(forCount: 1).first?.end ?? .signalled(SIGKILL)
    }

    /// When the end was seen by a thread that waits for nothing else; `nil` before.
    ///
    /// A test that waits in the cooperative pool may learn of the end much later.
    package var endTime: ContinuousClock.Instant? { ends.elements.first?.time }

    /// What has been written on standard output so far.
    package var output: [UInt8] { bytes.withLock { $0.output } }

    /// What has been written on standard error so far.
    package var errorOutput: [UInt8] { bytes.withLock { $0.error } }
}
