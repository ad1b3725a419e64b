import RunnerJob
import Testing

@testable import RunnerTransfer

@Suite struct RateLimiterTests {
    private let origin = Origin(scheme: "https", host: "a", port: 443)
    private let other = Origin(scheme: "https", host: "b", port: 443)

    /// A stream that always has a piece of this size to take.
    private struct Source {
        var stream: Int
        var task: Int
        var origin: Origin
        var piece: Int
    }

    /// Runs sources against a limiter for a time; returns the bytes of each.
    private func run(_ limiter: inout RateLimiter<Int>, _ sources: [Source], for time: Duration) -> [Int] {
        var bytes = sources.map { _ in 0 }
        var now = Duration.zero
        var waiting: Set<Int> = []
        func ask(_ index: Int) {
            let source = sources[index]
            if limiter.admits(source.stream, of: source.task, at: source.origin, source.piece, at: now) {
                bytes[index] += source.piece
                waiting.remove(index)
            } else {
                waiting.insert(index)
            }
        }
        while now < time {
            for index in sources.indices { while !waiting.contains(index) { ask(index) } }
            while let stream = limiter.next(at: now) {
                if let index = sources.firstIndex(where: { $0.stream == stream }) { ask(index) }
            }
            now += max(limiter.wait(at: now) ?? .milliseconds(1), .microseconds(100))
        }
        return bytes
    }

    @Test func isOutOfTheWayWithoutLimits() {
        var limiter = RateLimiter<Int>()
        #expect(limiter.isUnlimited)
        #expect(limiter.admits(1, of: 1, at: origin, 1 << 40, at: .zero) == true)
        #expect(limiter.wait(at: .zero) == nil)
        #expect(limiter.next(at: .zero) == nil)
    }

    @Test func holdsTheTotalAndSharesItEvenly() {
        var limiter = RateLimiter<Int>()
        limiter.limit(.everything, to: 1_000_000, at: .zero)
        let sources = (0..<4).map { Source(stream: $0, task: $0, origin: origin, piece: 10_000) }
        let bytes = run(&limiter, sources, for: .seconds(10))
        let total = bytes.reduce(0, +)
        #expect(abs(total - 10_000_000) < 300_000)
        #expect(bytes.allSatisfy { abs($0 - total / 4) <= 110_000 })
    }

    @Test func isFairByTaskWhateverThePiecesAndConnections() {
        var limiter = RateLimiter<Int>()
        limiter.limit(.everything, to: 1_000_000, at: .zero)
        var sources = [Source(stream: 0, task: 0, origin: origin, piece: 4_000)]
        sources += (1...8).map { Source(stream: $0, task: 1, origin: other, piece: 16_000) }
        let bytes = run(&limiter, sources, for: .seconds(10))
        let many = bytes.dropFirst().reduce(0, +)
        #expect(abs(bytes[0] - many) < 300_000)
        #expect(abs(bytes[0] + many - 10_000_000) < 300_000)
    }

    @Test func holdsEachScopeForItself() {
        var limiter = RateLimiter<Int>()
        limiter.limit(.everything, to: 1_000_000, at: .zero)
        limiter.limit(.origin(origin), to: 200_000, at: .zero)
        limiter.limit(.task(2), to: 50_000, at: .zero)
        let sources = [
            Source(stream: 0, task: 0, origin: origin, piece: 5_000),
            Source(stream: 1, task: 1, origin: other, piece: 5_000),
            Source(stream: 2, task: 2, origin: other, piece: 5_000),
        ]
        let bytes = run(&limiter, sources, for: .seconds(10))
        #expect(abs(bytes[0] - 2_000_000) < 60_000)
        #expect(abs(bytes[2] - 500_000) < 30_000)
        #expect(abs(bytes.reduce(0, +) - 10_000_000) < 300_000)
    }

    @Test func oneThatIsAloneGetsTheWholeRate() {
        var limiter = RateLimiter<Int>()
        limiter.limit(.everything, to: 1_000_000, at: .zero)
        let bytes = run(&limiter, [Source(stream: 0, task: 0, origin: origin, piece: 16_384)], for: .seconds(5))
        #expect(abs(bytes[0] - 5_000_000) < 150_000)
    }

    @Test func nobodyIsOvertaken() {
        var limiter = RateLimiter<Int>()
        limiter.limit(.everything, to: 1000, at: .zero)
        #expect(limiter.admits(1, of: 1, at: origin, 1100, at: .zero) == true)
        #expect(limiter.admits(2, of: 2, at: origin, 100, at: .zero) == false)
        #expect(limiter.wait(at: .zero) == .seconds(1))
        // By now something could be taken, but 2 was here first.
        #expect(limiter.admits(3, of: 3, at: origin, 100, at: .seconds(1)) == false)
        #expect(limiter.next(at: .seconds(1)) == 2)
        #expect(limiter.admits(2, of: 2, at: origin, 100, at: .seconds(1)) == true)
        #expect(limiter.next(at: .seconds(1)) == nil)
        #expect(limiter.next(at: .seconds(1.1)) == 3)
    }

    @Test func forgetsWhatIsOver() {
        var limiter = RateLimiter<Int>()
        limiter.limit(.everything, to: 1000, at: .zero)
        _ = limiter.admits(1, of: 1, at: origin, 2000, at: .zero)
        #expect(limiter.admits(2, of: 2, at: origin, 1, at: .zero) == false)
        limiter.forget(2)
        #expect(limiter.waiting == 0)
        #expect(limiter.wait(at: .zero) == nil)
        limiter.limit(.task(7), to: 10, at: .zero)
        #expect(limiter.rate(of: 7, at: origin) == 10)
        limiter.forget(task: 7)
        #expect(limiter.rate(of: 7, at: origin) == 1000)
    }

    @Test func letsNothingInWhileItIsClosed() {
        var limiter = RateLimiter<Int>()
        limiter.close()
        #expect(limiter.admits(1, of: 1, at: origin, 1, at: .zero) == false)
        #expect(limiter.next(at: .seconds(9)) == nil)
        #expect(limiter.wait(at: .seconds(9)) == nil)
        limiter.open()
        #expect(limiter.wait(at: .seconds(9)) == .zero)
        #expect(limiter.next(at: .seconds(9)) == 1)
        #expect(limiter.admits(1, of: 1, at: origin, 1, at: .seconds(9)) == true)
        #expect(limiter.isUnlimited)
    }
}
