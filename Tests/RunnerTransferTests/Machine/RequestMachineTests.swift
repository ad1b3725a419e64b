import RunnerJob
import Testing

@testable import RunnerTransfer

@Suite struct RequestMachineTests {
    typealias Machine = RequestMachine

    static let fault = Fault(.reset, .transport(code: 56, text: "gone"))
    static let head = Sample.head(200, length: 10)
    static let redirect = Sample.head(302) { $0.location = "/b" }

    static func resolve(_ base: SourceURL, _ reference: String) -> SourceURL? { URLResolution.resolve(base, reference) }

    /// A machine that has taken these events.
    static func machine(_ events: [Machine.Event], goal: RequestGoal = .whole) -> Machine {
        var machine = Machine(goal: goal, statuses: [], redirects: RedirectRules())
        for event in events { _ = machine.handle(event, resolve: resolve) }
        return machine
    }

    static func url(_ path: String = "/a") throws -> SourceURL { try Sample.url("http://a.test\(path)") }

    /// The events that lead into each state, by the state's name.
    static func ways() throws -> [String: [Machine.Event]] {
        let started = Machine.Event.started(try url())
        return [
            "idle": [],
            "requesting": [started],
            "redirected": [started, .headReceived(redirect)],
            "receiving": [started, .headReceived(head)],
            "ended": [started, .headReceived(head), .bytesReceived(10), .bodyEnded],
            "broken": [started, .broke(fault)],
        ]
    }

    static func events() throws -> [Machine.Event] {
        [.started(try url()), .hopGranted, .headReceived(head), .bytesReceived(4), .bodyEnded, .broke(fault)]
    }

    /// Each pair of state and event, and the name of the state that follows.
    static let table: [(state: String, event: String, next: String)] = [
        ("idle", "started", "requesting"),
        ("requesting", "headReceived", "receiving"), ("requesting", "broke", "broken"),
        ("requesting", "bodyEnded", "broken"),
        ("redirected", "hopGranted", "requesting"), ("redirected", "broke", "broken"),
        // The exchange that was let go may still have had its say.
        ("redirected", "bytesReceived", "redirected"), ("redirected", "bodyEnded", "redirected"),
        ("receiving", "bytesReceived", "receiving"), ("receiving", "broke", "broken"),
        ("receiving", "bodyEnded", "broken"),
    ]

    @Test func everyPairLeadsWhereTheTableSays() throws {
        for (state, way) in try Self.ways() {
            for event in try Self.events() {
                var machine = Self.machine(way)
                #expect(machine.state.name == state)
                let effects = machine.handle(event, resolve: Self.resolve)
                if let row = Self.table.first(where: { $0.state == state && $0.event == event.name }) {
                    #expect(machine.state.name == row.next, "\(state) + \(event.name)")
                } else if state == "ended" || state == "broken" {
                    #expect(machine.state == Self.machine(way).state, "\(state) absorbs \(event.name)")
                    #expect(effects.isEmpty)
                } else {
                    let what = Fault.Cause.impossible("request \(state) got \(event.name)")
                    #expect(machine.state == .broken(Fault(.internal, what)))
                    #expect(effects == [.dropRest])
                }
            }
        }
    }

    @Test func aWholeBodyEndsIt() throws {
        let url = try Self.url()
        var machine = Machine(goal: .whole, statuses: [], redirects: RedirectRules())
        #expect(machine.handle(.started(url), resolve: Self.resolve) == [.send(.init(url: url))])
        let body = ReplyMeaning.Body(start: 0, length: 10, total: 10)
        #expect(
            machine.handle(.headReceived(Self.head), resolve: Self.resolve)
                == [.keepBody(body, SharedHead(Self.head))])
        #expect(machine.handle(.bytesReceived(4), resolve: Self.resolve) == [])
        #expect(machine.handle(.bytesReceived(6), resolve: Self.resolve) == [])
        #expect(machine.handle(.bodyEnded, resolve: Self.resolve) == [])
        let receipt = Machine.Receipt(head: SharedHead(Self.head), body: body, received: 10)
        #expect(machine.state == .ended(.complete(.init(url: url), receipt)))
    }

    @Test(arguments: [(0, 10), (9, 10), (11, 10)])
    func aBodyOfAnotherLengthIsNoSuccess(_ received: Int, expected: Int64) throws {
        let events: [Machine.Event] = [
            .started(try Self.url()), .headReceived(Self.head), .bytesReceived(received), .bodyEnded,
        ]
        let cause = Fault.Cause.bodyTooShort(received: Int64(received), expected: expected)
        #expect(Self.machine(events).state == .broken(Fault(.truncated, cause)))
    }

    @Test func bytesThatArePassedOverCountForTheLength() throws {
        let head = Sample.head(206, range: "bytes 400-999/1000")
        let events: [Machine.Event] = [.started(try Self.url()), .headReceived(head), .bytesReceived(600), .bodyEnded]
        guard case .ended(.complete(_, let receipt)) = Self.machine(events, goal: .rest()).state else {
            Issue.record("not complete")
            return
        }
        #expect(receipt.received == 600)
    }

    @Test func aRedirectAsksForLeaveAndGoesOn() throws {
        var machine = Self.machine([.started(try Self.url())])
        let hop = Machine.Hop(url: try Self.url("/b"), redirects: 1, form: .getForPost)
        #expect(machine.handle(.headReceived(Self.redirect), resolve: Self.resolve) == [.dropRest, .redirect(hop)])
        #expect(machine.handle(.bodyEnded, resolve: Self.resolve) == [])
        #expect(machine.handle(.hopGranted, resolve: Self.resolve) == [.send(hop)])
        #expect(machine.state == .requesting(hop))
    }

    @Test func redirectsAreCounted() throws {
        var machine = Machine(goal: .whole, statuses: [], redirects: RedirectRules(limit: 3))
        _ = machine.handle(.started(try Self.url()), resolve: Self.resolve)
        for _ in 0..<3 {
            _ = machine.handle(.headReceived(Self.redirect), resolve: Self.resolve)
            _ = machine.handle(.hopGranted, resolve: Self.resolve)
        }
        #expect(machine.state.name == "requesting")
        #expect(machine.handle(.headReceived(Self.redirect), resolve: Self.resolve) == [.dropRest])
        #expect(machine.state == .broken(Fault(.redirect, .tooManyRedirects(3))))
    }

    @Test func uselessRepliesAreDropped() throws {
        let cases: [(ReplyHead, Machine.State)] = [
            (Sample.head(404), .broken(Fault(.notFound, .status(404)))),
            (Sample.head(416, range: "bytes */500"), .ended(.alreadyWhole(500))),
            (Sample.head(416), .ended(.again(.fromZero))),
        ]
        for (head, state) in cases {
            var machine = Self.machine([.started(try Self.url())], goal: .rest(of: nil))
            #expect(machine.handle(.headReceived(head), resolve: Self.resolve) == [.dropRest])
            #expect(machine.state == state)
        }
    }
}
