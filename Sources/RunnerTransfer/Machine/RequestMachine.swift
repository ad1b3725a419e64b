package import RunnerJob

/// One request, its redirects included, from the first byte sent to the last byte received; pure.
///
///     idle → requesting → (redirected →) requesting → receiving → ended
///                                      ↘ ended                  ↘ broken
package struct RequestMachine: Hashable, Sendable {
    package indirect enum State: Hashable, Sendable {
        /// Next: requesting.
        case idle
        /// The head of this hop's reply is awaited. Next: redirected, receiving, ended, broken.
        case requesting(Hop)
        /// A redirect was read; its hop waits for leave to ask. Next: requesting, broken.
        case redirected(Hop)
        /// A body that is wanted comes in. Next: ended, broken.
        case receiving(Hop, Receipt)
        /// Over; nothing follows.
        case ended(Ending)
        case broken(Fault)
    }

    /// One place that is asked.
    package struct Hop: Hashable, Sendable {
        package var url: SourceURL
        /// Redirects followed so far.
        package var redirects: Int
        package var form: Form

        package init(url: SourceURL, redirects: Int = 0, form: Form = .asAsked) {
            self.url = url
            self.redirects = redirects
            self.form = form
        }
    }

    /// What redirects have made of the task's method and body (RFC 9110 sections 15.4.2 to 15.4.9).
    package enum Form: Hashable, Sendable {
        case asAsked
        /// After 301 and 302, by which a POST becomes a GET and any other method stays.
        case getForPost
        /// After 303.
        case get

        func after(_ status: Int) -> Form {
            switch (self, status) {
            case (.get, _), (_, 303): .get
            case (_, 301), (_, 302): .getForPost
            default: self
            }
        }

        func method(_ asked: String) -> String {
            switch self {
            case .asAsked: asked
            case .getForPost: asked == "POST" ? "GET" : asked
            case .get: "GET"
            }
        }
    }

    /// A body as it comes in.
    package struct Receipt: Hashable, Sendable {
        package var head: SharedHead
        package var body: ReplyMeaning.Body
        /// Bytes of the body so far, skipped ones included.
        package var received: Int64 = 0
    }

    package enum Ending: Hashable, Sendable {
        /// The body came whole.
        case complete(Hop, Receipt)
        /// Nothing to receive: the disk has it all.
        case alreadyWhole(Int64)
        /// The file that is there is still right.
        case notModified
        /// The reply is of no use; ask once more, differently.
        case again(ReplyMeaning.Again)
    }

    package enum Event: Hashable, Sendable {
        indirect case started(SourceURL)
        /// Leave to ask the redirect's target was given.
        case hopGranted
        case headReceived(shared: SharedHead)
        case bytesReceived(Int)
        /// Fields behind the body that may carry a digest.
        case trailerReceived([ReplyHead.Field])
        /// The transport says that the reply is over, and well-framed.
        case bodyEnded
        indirect case broke(Fault)

        package static func headReceived(_ head: ReplyHead) -> Event { .headReceived(shared: SharedHead(head)) }
    }

    package indirect enum Effect: Hashable, Sendable {
        /// Send the request to this hop.
        case send(Hop)
        /// End the present exchange and ask leave for this hop.
        case redirect(Hop)
        /// Keep the body that follows.
        case keepBody(ReplyMeaning.Body, SharedHead)
        /// Note what fields behind a body say of it.
        case noteTrailer([ReplyHead.Field], ReplyMeaning.Body, SharedHead)
        /// The rest of this reply is of no interest.
        case dropRest
    }

    package private(set) var state = State.idle
    package var goal: RequestGoal { terms.value.goal }
    private let terms: SharedValue<Terms>

    /// What holds for all of the request; apart, as the machine is copied with every event.
    private struct Terms: Hashable, Sendable {
        var goal: RequestGoal
        var statuses: Set<Int>
        var redirects: RedirectRules
    }

    package init(goal: RequestGoal, statuses: Set<Int>, redirects: RedirectRules) {
        terms = SharedValue(Terms(goal: goal, statuses: statuses, redirects: redirects))
    }

    /// Takes one event and says what is to be done.
    ///
    /// - Parameter resolve: resolves a Location against the URL that it came from.
    package mutating func handle(_ event: Event, resolve: RedirectRules.Resolver) -> [Effect] {
        switch (state, event) {
        case (.idle, .started(let url)):
            state = .requesting(Hop(url: url))
            return [.send(Hop(url: url))]
        case (.requesting(let hop), .headReceived(shared: let head)):
            return read(head, at: hop, resolve: resolve)
        case (.requesting, .broke(let fault)), (.receiving, .broke(let fault)), (.redirected, .broke(let fault)):
            state = .broken(fault)
            return []
        case (.requesting, .bodyEnded):
            state = .broken(Fault(.protocol, .transport(code: 52, text: "the server ended the reply without a head")))
            return []
        case (.redirected(let hop), .hopGranted):
            state = .requesting(hop)
            return [.send(hop)]
        case (.receiving(let hop, var receipt), .bytesReceived(let count)):
            receipt.received += Int64(count)
            state = .receiving(hop, receipt)
            return []
        case (.receiving(_, let receipt), .trailerReceived(let fields)):
            return [.noteTrailer(fields, receipt.body, receipt.head)]
        case (.receiving(let hop, let receipt), .bodyEnded):
            state = ended(hop, receipt)
            return []
        case (.ended, _), (.broken, _), (.redirected, .bodyEnded), (.redirected, .bytesReceived),
            (.redirected, .trailerReceived):
            return []
        default:
            state = .broken(Fault(.internal, .impossible("request \(state.name) got \(event.name)")))
            return [.dropRest]
        }
    }

    private mutating func read(_ head: SharedHead, at hop: Hop, resolve: RedirectRules.Resolver) -> [Effect] {
        switch ReplyRules.meaning(of: head.value, for: goal, expecting: terms.value.statuses) {
        case .body(let body):
            state = .receiving(hop, Receipt(head: head, body: body))
            return [.keepBody(body, head)]
        case .alreadyWhole(let size):
            state = .ended(.alreadyWhole(size))
        case .notModified:
            state = .ended(.notModified)
        case .again(let again):
            state = .ended(.again(again))
        case .fault(let fault):
            state = .broken(fault)
        case .redirect(let location):
            switch terms.value.redirects.follow(location, status: head.status, from: hop, resolve: resolve) {
            case .success(let next):
                state = .redirected(next)
                return [.dropRest, .redirect(next)]
            case .failure(let fault):
                state = .broken(fault)
            }
        }
        return [.dropRest]
    }

    /// A well-framed end may still come too early for what the head or an earlier reply said.
    private func ended(_ hop: Hop, _ receipt: Receipt) -> State {
        let expected = receipt.body.length ?? receipt.body.total.map { $0 - receipt.body.start + receipt.body.skip }
        if let expected, receipt.received != expected {
            return .broken(Fault(.truncated, .bodyTooShort(received: receipt.received, expected: expected)))
        }
        return .ended(.complete(hop, receipt))
    }
}

extension RequestMachine.State {
    /// Name of the state without its data.
    package var name: String {
        switch self {
        case .idle: "idle"
        case .requesting: "requesting"
        case .redirected: "redirected"
        case .receiving: "receiving"
        case .ended: "ended"
        case .broken: "broken"
        }
    }
}

extension RequestMachine.Event {
    /// Name of the event without its data.
    package var name: String {
        switch self {
        case .started: "started"
        case .hopGranted: "hopGranted"
        case .headReceived: "headReceived"
        case .bytesReceived: "bytesReceived"
        case .trailerReceived: "trailerReceived"
        case .bodyEnded: "bodyEnded"
        case .broke: "broke"
        }
    }
}
