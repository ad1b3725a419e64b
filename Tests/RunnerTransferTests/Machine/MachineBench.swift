import RunnerJob
import Testing

@testable import RunnerTransfer

/// Drives a ``TransferMachine`` and remembers what it ordered.
struct MachineBench {
    var machine: TransferMachine
    /// Time of the transfer.
    var now = Duration.zero
    /// The last orders.
    private(set) var effects: [TransferMachine.Effect] = []
    private(set) var failures: [Failure] = []

    /// One `reportFailure`.
    struct Failure: Equatable {
        var number: Int
        var faultClass: FaultClass
        var retryIn: Duration?
        var nextSource: Int?
    }

    init(
        sources: Int = 1, scheme: String = "http", part: Part = Part(),
        configure: (inout TransferMachine.Configuration) -> Void = { _ in },
        retry: (inout RetrySettings) -> Void = { _ in }
    ) throws {
        var settings = RetrySettings()
        settings.attempts = 3
        settings.jitter = .none
        retry(&settings)
        var configuration = TransferMachine.Configuration(
            sources: try (0..<sources).map { try Sample.url("\(scheme)://s\($0).test/f") },
            policy: RetryPolicy(settings),
            resolve: URLResolution.resolve)
        configure(&configuration)
        machine = TransferMachine(configuration, part: part)
    }

    @discardableResult
    mutating func take(_ event: TransferMachine.Event) -> [TransferMachine.Effect] {
        effects = machine.handle(event, at: now) { 0.5 }
        for case .reportFailure(let attempt, let fault, let retryIn, let nextSource) in effects {
            failures.append(
                Failure(
                    number: attempt.number, faultClass: fault.faultClass, retryIn: retryIn, nextSource: nextSource))
        }
        return effects
    }

    mutating func take(_ request: RequestMachine.Event) { take(.request(request)) }

    /// A granted request that is answered by this head, then so many bytes, then this end.
    mutating func attempt(_ head: ReplyHead, bytes: Int = 0, then end: RequestMachine.Event? = nil) {
        take(.granted)
        take(.headReceived(head))
        if bytes > 0 { take(.bytesReceived(bytes)) }
        if let end { take(end) }
    }

    /// A whole file of `"v1"`.
    mutating func attemptWhole(_ size: Int = 1000, etag: String? = "\"v1\"") {
        attempt(Sample.head(200, length: Int64(size), etag: etag), bytes: size, then: .bodyEnded)
    }

    /// A granted request that breaks without a head.
    mutating func attemptBroken(_ fault: Fault = Self.reset) {
        take(.granted)
        take(.broke(fault))
    }

    static let reset = Fault(.reset, .transport(code: 56, text: "gone"))
    static let wrong = Fault(.integrity, .sizeDiffers(declared: 1, wanted: 2))

    /// Names of the last orders.
    var orders: [String] {
        effects.map { effect in
            switch effect {
            case .requestGrant: "grant"
            case .send: "send"
            case .redirect: "redirect"
            case .keepBody: "keep"
            case .dropRest: "drop"
            case .sendSegment: "send segment"
            case .redirectSegment: "redirect segment"
            case .reportSegmentFailure: "report segment"
            case .keepSegment: "keep segment"
            case .endSegment: "end segment"
            case .sleep: "sleep"
            case .reportFailure: "report"
            case .verify: "verify"
            case .publish: "publish"
            case .closePart(let keep): keep ? "close" : "delete"
            case .finish(.succeeded): "succeeded"
            case .finish(.notModified): "not modified"
            case .finish(.failed): "failed"
            case .finish(.cancelled): "cancelled"
            }
        }
    }

    /// The goal of the attempt that waits for leave.
    var goal: RequestGoal? {
        if case .waiting(let attempt) = machine.state { attempt.goal } else { nil }
    }

    /// The segment that the last orders begin, and what it asks for.
    var segment: (id: SegmentID, goal: RequestGoal)? {
        for case .sendSegment(let id, let goal, _) in effects { return (id, goal) }
        return nil
    }

    /// The fault that the transfer ended with.
    var fault: Fault? {
        if case .failed(let fault) = machine.state { fault } else { nil }
    }

    /// How long it sleeps after the last event.
    var sleep: Duration? {
        for case .sleep(let duration) in effects { return duration }
        return nil
    }
}
