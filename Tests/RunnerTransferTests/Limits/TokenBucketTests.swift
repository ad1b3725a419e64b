import Testing

@testable import RunnerTransfer

@Suite struct TokenBucketTests {
    /// Bytes that pieces of one size bring in a time, taken as soon as the bucket allows.
    private func bytes(rate: Int64, piece: Int, over time: Duration) -> Int {
        var bucket = TokenBucket(rate: rate, at: .seconds(100))
        var now = Duration.seconds(100)
        var total = 0
        while now < .seconds(100) + time {
            let wait = bucket.wait(at: now)
            if wait > .zero {
                now += wait
                continue
            }
            bucket.take(piece, at: now)
            total += piece
        }
        return total
    }

    @Test(
        arguments: [
            (1000, 100), (1000, 1), (1000, 3000), (1_000_000, 16_384), (50 << 20, 256 << 10), (1, 1), (1024, 1024),
        ] as [(Int64, Int)])
    func keepsToItsRateWhateverThePieces(rate: Int64, piece: Int) {
        let total = bytes(rate: rate, piece: piece, over: .seconds(20))
        let exact = Int(rate) * 20
        #expect(total >= exact)
        #expect(total <= exact + Int(Double(rate) * TokenBucket.patience) + piece + 1)
    }

    @Test func makesUpForNoMoreThanItsPatience() {
        var bucket = TokenBucket(rate: 1000, at: .zero)
        bucket.take(5000, at: .seconds(60))
        #expect(bucket.wait(at: .seconds(60)) == .seconds(4.9))
        #expect(bucket.wait(at: .seconds(65)) == .zero)
    }

    @Test func takesBackWhatDidNotComeIn() {
        var bucket = TokenBucket(rate: 1000, at: .zero)
        bucket.take(1100, at: .zero)
        #expect(bucket.wait(at: .zero) == .seconds(1))
        bucket.giveBack(1000)
        #expect(bucket.wait(at: .zero) == .zero)
    }

    @Test func standsAClockThatGoesBack() {
        var bucket = TokenBucket(rate: 1000, at: .seconds(10))
        bucket.take(600, at: .seconds(10))
        #expect(bucket.wait(at: .seconds(5)) == .seconds(0.5))
        bucket.take(0, at: .seconds(5))
        #expect(bucket.wait(at: .seconds(10.5)) == .zero)
    }
}
