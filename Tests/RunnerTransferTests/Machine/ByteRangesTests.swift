import TestSupport
import Testing

@testable import RunnerTransfer

/// ``ByteRanges`` against a set of single bytes.
@Suite struct ByteRangesTests {
    @Test func whatTouchesBecomesOne() {
        var ranges = ByteRanges()
        ranges.insert(10..<20)
        ranges.insert(30..<40)
        ranges.insert(5..<5)
        #expect(ranges.ranges == [10..<20, 30..<40])
        ranges.insert(20..<30)
        #expect(ranges.ranges == [10..<40])
        ranges.insert(0..<10)
        #expect(ranges.ranges == [0..<40])
        #expect(ranges.prefix == 40)
    }

    /// The next bytes of a stream may meet the range behind them.
    @Test func theLastRangeGrows() {
        var ranges = ByteRanges([0..<10, 20..<30])
        ranges.insert(30..<50)
        #expect(ranges.ranges == [0..<10, 20..<50])
    }

    @Test(arguments: 0..<50)
    func everyStepIsAsWithSingleBytes(_ seed: UInt64) {
        var dice = SeededDice(seed)
        var ranges = ByteRanges()
        var bytes = Set<Int64>()
        for _ in 0..<60 {
            if dice.below(10) == 0 {
                let end = Int64(dice.below(200))
                ranges.cut(at: end)
                bytes = bytes.filter { $0 < end }
            } else {
                let start = Int64(dice.below(190))
                let range = start..<(start + Int64(dice.below(12)))
                ranges.insert(range)
                bytes.formUnion(range)
            }
            #expect(ranges.count == Int64(bytes.count))
            #expect(ranges.prefix == (0...).first { !bytes.contains($0) })
            let probe = Int64(dice.below(200))
            #expect(ranges.firstMissing(from: probe) == (probe...).first { !bytes.contains($0) })
            let next = bytes.filter { $0 > probe && !bytes.contains($0 - 1) }.min()
            #expect(ranges.firstPresent(after: probe) == next)
            for (one, two) in zip(ranges.ranges, ranges.ranges.dropFirst()) { #expect(one.upperBound < two.lowerBound) }
        }
    }
}
