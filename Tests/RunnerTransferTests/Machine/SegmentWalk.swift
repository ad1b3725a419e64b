import RunnerJob
import TestSupport

@testable import RunnerTransfer

/// A ``TransferMachine`` on a server and a disk that are simulated, driven by seeded chance.
struct SegmentWalk {
    /// A reply on its way: the next byte of it, and the first that it does not hold.
    private struct Reply {
        var goal: RequestGoal
        var next: Int64?
        var end: Int64 = 0
        /// Where the next byte goes on the disk, and how many are passed over.
        var position: Int64 = 0
        var skip: Int64 = 0
    }

    let total: Int64
    /// Whether replies may be such as show that the server does not take to pieces.
    let isAwkward: Bool
    private(set) var bench: MachineBench
    private(set) var disk = ByteRanges()
    /// Bytes that were written although they were there.
    private(set) var writtenTwice: Int64 = 0
    private(set) var mostConnections = 0
    private var dice: SeededDice
    private var main: Reply?
    private var segments: [SegmentID: Reply] = [:]

    init(seed: UInt64, isAwkward: Bool) throws {
        dice = SeededDice(seed)
        total = Int64(3 << 20 + dice.below(12 << 20))
        self.isAwkward = isAwkward
        bench = try MachineBench { _ in
        } retry: {
            $0.attempts = 1_000_000
        }
    }

    /// Goes on until the file is whole, or for so many steps; returns the state's name.
    mutating func run(steps: Int = 20_000) -> String {
        for _ in 0..<steps {
            switch bench.machine.state {
            case .waiting: take(.granted)
            case .backingOff where segments.isEmpty || dice.below(3) == 0: take(.timerFired)
            case .transferring, .gathering, .backingOff: advance()
            default: return bench.machine.state.name
            }
            mostConnections = max(mostConnections, bench.machine.connections)
        }
        return bench.machine.state.name
    }

    private mutating func advance() {
        if dice.below(6) == 0, let chance = bench.machine.segmentChance {
            take(.segmentOffered(source: chance.source))
        } else if dice.below(2) == 0, let id = segments.keys.sorted(by: { $0.number < $1.number }).first {
            step(segments[id]) { .segment(id, $0) }
        } else if let id = segments.keys.max(by: { $0.number < $1.number }), dice.below(2) == 0 || main == nil {
            step(segments[id]) { .segment(id, $0) }
        } else {
            step(main) { .request($0) }
        }
    }

    private mutating func step(_ reply: Reply?, _ event: (RequestMachine.Event) -> TransferMachine.Event) {
        guard let reply else { return }
        if dice.below(12) == 0 { return take(event(.broke(MachineBench.reset))) }
        guard let next = reply.next else { return take(event(.headReceived(head(for: reply.goal)))) }
        guard next < reply.end else { return take(event(.bodyEnded)) }
        let count = min(Int64(1 + dice.below(900_000)), reply.end - next)
        deliver(count, event)
    }

    /// Writes what a stream keeps of so many bytes, as ``ByteStream`` does, and then tells the machine.
    private mutating func deliver(_ count: Int64, _ event: (RequestMachine.Event) -> TransferMachine.Event) {
        let told = event(.bytesReceived(Int(count)))
        switch told {
        case .segment(let id, _):
            guard var reply = segments[id], let limit = bench.machine.limit(of: id) else { return }
            write(count, &reply, limit)
            segments[id] = reply
        default:
            guard var reply = main else { return }
            write(count, &reply, bench.machine.mainLimit)
            main = reply
        }
        take(told)
    }

    private mutating func write(_ count: Int64, _ reply: inout Reply, _ limit: Int64) {
        let skipped = min(reply.skip, count)
        reply.skip -= skipped
        let kept = max(0, min(count - skipped, limit - reply.position))
        let before = disk.count
        disk.insert(reply.position..<reply.position + kept)
        writtenTwice += kept - (disk.count - before)
        reply.position += kept
        reply.next = reply.next.map { $0 + count }
    }

    private mutating func head(for goal: RequestGoal) -> ReplyHead {
        if goal.offset == 0 { return Sample.head(200, length: total, etag: "\"v1\"") }
        if isAwkward, dice.below(8) == 0 {
            return [
                Sample.head(503), Sample.head(429) { $0.retryAfter = .seconds(1) },
                Sample.head(200, length: total, etag: "\"v1\"") { $0.lastModified = Sample.modified },
                Sample.head(206, length: 10, range: "bytes 0-9/\(total)", etag: "\"v1\""),
            ][dice.below(4)]
        }
        // Less than was asked for, and a start before it, are both allowed.
        let start = max(0, goal.offset - Int64(dice.below(3) == 0 ? dice.below(5000) : 0))
        let end = goal.end ?? total
        let short = dice.below(6) == 0 ? goal.offset + 1 + (end - goal.offset - 1) / 2 : end
        return Sample.head(206, length: short - start, range: "bytes \(start)-\(short - 1)/\(total)", etag: "\"v1\"")
    }

    private mutating func take(_ event: TransferMachine.Event) {
        bench.now += .seconds(2)
        for effect in bench.take(event) { perform(effect) }
    }

    private mutating func perform(_ effect: TransferMachine.Effect) {
        switch effect {
        case .send(let attempt, _): main = Reply(goal: attempt.goal)
        case .sendSegment(let id, let goal, _): segments[id] = Reply(goal: goal)
        case .keepBody(let body, _):
            if body.start == 0 { disk = ByteRanges() }
            main.map { main = Self.begun($0, body, total) }
        case .keepSegment(let id, let body): segments[id] = segments[id].map { Self.begun($0, body, total) }
        case .dropRest: main = nil
        case .reportFailure: main = nil
        case .endSegment(let id): segments[id] = nil
        default: break
        }
    }

    private static func begun(_ reply: Reply, _ body: ReplyMeaning.Body, _ total: Int64) -> Reply {
        var reply = reply
        reply.position = body.start
        reply.skip = body.skip
        reply.next = body.start - body.skip
        reply.end = body.length.map { body.start - body.skip + $0 } ?? total
        return reply
    }
}
