import CProcess
import Glibc
import RunnerTransfer

/// A program that runs: in a process group of its own, under a guard that ends all that it started.
///
/// The thread that runs it waits for it. When this process is killed, the program and all its descendants are too.
final class RunningProgram {
    private let guardian: pid_t
    private var input: Descriptor
    private var output: Descriptor
    private var orders: Descriptor
    private var news: Descriptor
    private let order: ProgramOrder

    /// Runs a program to its end.
    ///
    /// - Parameter stop: asked ten times a second; once it gives a time, the program is asked to end, and is ended when
    ///   that time has passed.
    static func run(
        _ order: ProgramOrder, stop: () -> Duration? = { nil }
    ) throws(ProgramFault) -> ProgramResult {
        let program = try RunningProgram(order)
        return try program.wait(stop)
    }

    private init(_ order: ProgramOrder) throws(ProgramFault) {
        self.order = order
        let name = order.arguments.first ?? ""
        let file = try ProgramSearch.find(name, path: order.environment["PATH"], folder: order.folder)
        let output = try Pipe(), orders = try Pipe(), news = try Pipe()
        let input = try Pipe()
        // The other end is another open file description: the program reads as it likes (fcntl(2), F_SETFL).
        _ = fcntl(input.writing.number, F_SETFL, O_NONBLOCK)
        var program = runner_program()
        program.input = input.reading.number
        program.output = output.writing.number
        program.orders = orders.reading.number
        program.news = news.writing.number
        let environment = order.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var code: Int32 = 0
        let guardian = CStrings.with(order.arguments) { arguments in
            CStrings.with(environment) { environment in
                CStrings.with([file, order.folder]) { texts in
                    program.path = UnsafePointer(texts[0])
                    program.folder = UnsafePointer(texts[1])
                    program.arguments = arguments
                    program.environment = environment
                    let pid = runner_start_program(&program)
                    code = errno
                    return pid
                }
            }
        }
        self.guardian = guardian
        // The ends that are the program's are closed here with the pipes.
        self.input = input.writing.take()
        self.output = output.reading.take()
        self.orders = orders.writing.take()
        self.news = news.reading.take()
        guard guardian > 0 else { throw .system(call: "fork", errno: code) }
    }

    // MARK: Waiting

    /// Why the program is being ended; nil while it may go on.
    private enum Ending {
        case none
        /// Asked to end; is ended at that time.
        case asked(ProgramResult.End, until: Duration)
        case ended(ProgramResult.End)

        var end: ProgramResult.End? {
            switch self {
            case .none: nil
            case .asked(let end, _), .ended(let end): end
            }
        }
    }

    private func wait(_ stop: () -> Duration?) throws(ProgramFault) -> ProgramResult {
        let began = SteadyClock.now
        var captured = CapturedOutput(ceiling: order.outputCeiling)
        var ending = Ending.none
        var told: [runner_program_news] = []
        var rest = (order.input ?? [])[...]
        if rest.isEmpty { input.close() }
        while output.isOpen || news.isOpen {
            var wanted = [
                pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: news.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input.number, events: Int16(POLLOUT), revents: 0),
            ]
            _ = poll(&wanted, nfds_t(wanted.count), 100)
            if wanted[0].revents != 0 { Self.read(&output) { captured.append($0) } }
            if wanted[1].revents != 0 { Self.read(&news) { told += Self.news(in: $0) } }
            if wanted[2].revents != 0 { feed(&rest) }
            ending = look(ending, at: SteadyClock.now, since: began, stop)
        }
        var status: Int32 = 0
        while waitpid(guardian, &status, 0) < 0, errno == EINTR {}
        return ProgramResult(end: try Self.end(told, ending.end, order), output: captured)
    }

    /// Asks the program to end where it is time, and ends it where it did not listen.
    private func look(
        _ ending: Ending, at now: Duration, since began: Duration, _ stop: () -> Duration?
    ) -> Ending {
        switch ending {
        case .none:
            let asked: Ending
            if let grace = stop() {
                asked = .asked(.stopped, until: now + grace)
            } else if let timeout = order.timeout, now >= began + timeout {
                asked = .asked(.timedOut(timeout), until: now + order.grace)
            } else {
                return .none
            }
            send("T")
            return asked
        case .asked(let end, let until):
            guard now >= until else { return ending }
            send("K")
            return .ended(end)
        case .ended:
            return ending
        }
    }

    private func send(_ letter: Unicode.Scalar) {
        var byte = UInt8(ascii: letter)
        // The guard may have ended already, so that nobody reads (EPIPE); SIGPIPE is held back for that moment.
        _ = Self.withoutBrokenPipe { write(orders.number, &byte, 1) }
    }

    /// Writes what the program's standard input takes now.
    private func feed(_ rest: inout ArraySlice<UInt8>) {
        let count = rest.withUnsafeBytes { bytes in
            Self.withoutBrokenPipe { write(input.number, bytes.baseAddress, bytes.count) }
        }
        if count > 0 { rest = rest.dropFirst(count) }
        // A program need not read all that it is given.
        if rest.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR { input.close() }
    }

    /// Takes what has come; the descriptor is closed at its end.
    private static func read(_ descriptor: inout Descriptor, _ take: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(descriptor.number, &buffer, buffer.count)
        if count > 0 { take(buffer[..<count]) }
        if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { descriptor.close() }
    }

    /// Messages are written whole, so that they come whole (pipe(7)).
    private static func news(in bytes: ArraySlice<UInt8>) -> [runner_program_news] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - MemoryLayout<runner_program_news>.size + 1, by: 12).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: runner_program_news.self)
            }
        }
    }

    /// Holds SIGPIPE back during a call, and takes it away if the call has raised it (sigtimedwait(2)).
    private static func withoutBrokenPipe(_ call: () -> Int) -> Int {
        var pipe = sigset_t(), before = sigset_t(), pending = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let result = call()
        let code = errno
        if result < 0, code == EPIPE, !wasPending {
            var none = timespec()
            _ = sigtimedwait(&pipe, nil, &none)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return result
    }

    // MARK: The end

    private static func end(
        _ told: [runner_program_news], _ asked: ProgramResult.End?, _ order: ProgramOrder
    ) throws(ProgramFault) -> ProgramResult.End {
        for news in told where news.kind == Int32(UInt8(ascii: "E")) { throw fault(news, order) }
        guard let exit = told.first(where: { $0.kind == Int32(UInt8(ascii: "X")) }) else {
            // Somebody has killed the guard, and the program with it.
            return asked ?? .signalled(SIGKILL)
        }
        if let asked { return asked }
        return runner_did_exit(exit.value) != 0
            ? .exited(runner_exit_status(exit.value)) : .signalled(runner_end_signal(exit.value))
    }

    private static func fault(_ news: runner_program_news, _ order: ProgramOrder) -> ProgramFault {
        let name = order.arguments.first ?? ""
        switch (Int(news.step), news.value) {
        case (runner_step_folder, let code): return .folder(path: order.folder, errno: code)
        case (runner_step_execute, ENOENT): return .noInterpreter(path: name)
        case (runner_step_execute, ENOEXEC): return .noProgram(path: name)
        case (runner_step_execute, EACCES): return .notExecutable(path: name)
        case (runner_step_execute, let code): return .system(call: "execve", errno: code)
        case (_, let code): return .system(call: "fork", errno: code)
        }
    }
}
