import Testing

@testable import RunnerTransfer

/// Many connections for one file, with seeded chance: whatever happens, the file is whole in the end.
@Suite struct SegmentWalkTests {
    @Test(arguments: [false, true]) func everyWalkEndsWithTheWholeFile(_ isAwkward: Bool) throws {
        var connections = 0
        for seed in 0..<150 as Range<UInt64> {
            var walk = try SegmentWalk(seed: seed, isAwkward: isAwkward)
            let state = walk.run()
            #expect(state == "verifying", "seed \(seed)")
            #expect(walk.disk.ranges == [0..<walk.total], "seed \(seed)")
            #expect(walk.bench.machine.part.present == walk.disk, "seed \(seed)")
            // A server that changes its mind about ranges makes the file begin anew; no other byte comes twice.
            #expect(walk.writtenTwice == 0, "seed \(seed)")
            connections = max(connections, walk.mostConnections)
        }
        #expect(connections > 3)
    }
}
