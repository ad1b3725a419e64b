import LibCurl
import TestSupport

/// Carries out transfers on a multi handle of its own, on the calling thread.
final class TransferDesk {
    /// Keeps what one transfer delivers.
    final class Receiver: EasyDelegate {
        var lines: [String] = []
        var body: [UInt8] = []
        /// What to answer to the pieces of the body, in turn; proceeds when there are no more.
        var actions: [ReceiveAction] = []
        var lineAction = ReceiveAction.proceed
        var paused = 0

        func received(headerLine: UnsafeRawBufferPointer) -> ReceiveAction {
            lines.append(String(decoding: headerLine, as: UTF8.self))
            return lineAction
        }

        func received(body: UnsafeRawBufferPointer) -> ReceiveAction {
            let action = actions.isEmpty ? .proceed : actions.removeFirst()
            switch action {
            case .proceed: self.body += body
            case .pause: paused += 1
            case .abort: break
            }
            return action
        }
    }

    let multi: MultiHandle
    private var results: [ObjectIdentifier: Int32] = [:]

    init() throws {
        multi = try MultiHandle()
    }

    static func handle(_ url: String, _ receiver: Receiver) throws -> EasyHandle {
        let handle = try EasyHandle()
        try handle.set(.url(url))
        handle.delegate = receiver
        return handle
    }

    /// Runs until the handle has ended; -1 when it does not within a few seconds.
    func result(of handle: EasyHandle, whenPaused: () throws -> Void = {}) throws -> Int32 {
        for _ in 0..<1000 {
            try multi.perform()
            while let (ended, code) = multi.nextEnded() { results[ObjectIdentifier(ended)] = code }
            if let code = results.removeValue(forKey: ObjectIdentifier(handle)) { return code }
            try whenPaused()
            multi.poll(milliseconds: 20)
        }
        return -1
    }

    /// One whole transfer.
    func run(_ handle: EasyHandle) throws -> Int32 {
        try multi.add(handle)
        defer { multi.remove(handle) }
        return try result(of: handle)
    }
}
