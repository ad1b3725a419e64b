package import LibCurl
internal import RunnerJob

/// One request of which only the head of the reply is wanted.
///
/// Belongs to the network thread. A body that comes all the same is cut off.
package final class HeadRequest {
    private enum State {
        case asking(Exchange)
        case over
    }

    private let engine: TransferEngine
    private let whenOver: (ProbeMachine.Event, _ httpVersion: String?) -> Void
    private var state = State.over
    private var head: ReplyHead?
    private var httpVersion: String?

    /// Starts the request.
    ///
    /// - Parameters:
    ///   - task: whose rate holds for it.
    ///   - whenOver: called once, unless the request is cancelled, and never before this has returned.
    package init(
        _ request: WireRequest, of task: Int, on engine: TransferEngine,
        whenOver: @escaping (ProbeMachine.Event, _ httpVersion: String?) -> Void
    ) throws(Fault) {
        self.engine = engine
        self.whenOver = whenOver
        state = .asking(try engine.start(request, of: task, owner: self))
    }

    /// Ends it at once.
    package func cancel() {
        guard case .asking(let exchange) = state else { return }
        state = .over
        engine.cancel(exchange)
    }
}

extension HeadRequest: ExchangeOwner {
    package func exchange(_ exchange: Exchange, received head: ReplyHead) -> Exchange.HeadAction {
        self.head = head
        httpVersion = exchange.httpVersion
        if exchange.request.isHeadOnly { return .receive }
        // One byte is read for the sake of the connection; a whole file is not.
        return head.status == 206 && head.declaredLength == 1 ? .drain : .stop
    }

    package func exchange(_ exchange: Exchange, received body: UnsafeRawBufferPointer) -> ReceiveAction { .abort }

    package func exchange(_ exchange: Exchange, ended result: Result<Void, Fault>) {
        guard case .asking = state else { return }
        state = .over
        switch (head, result) {
        // A reply that was cut off on purpose ends as a failure of libcurl's.
        case (let head?, _): whenOver(.replied(head), httpVersion)
        case (nil, .failure(let fault)): whenOver(.broke(fault), nil)
        case (nil, .success):
            let text = "the server ended the reply without a head"
            whenOver(.broke(Fault(.protocol, .transport(code: 52, text: text))), nil)
        }
    }
}
