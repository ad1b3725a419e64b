import Testing

@testable import RunnerExecution

/// Plays whole runs over random graphs, with every kind of thing that can happen to a task.
@Suite("Scheduler, whole runs")
struct SchedulerWalkTests {
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 33) &* 0xff51_afd7_ed55_8ccd
        }
    }

    private struct Walk {
        let needs: [[Int]]
        let lanes: [Int?]
        let slots: Int
        let perLane: Int
        var scheduler: Scheduler
        var random: Random
        var running: Set<Int> = []
        var sleeping: Set<Int> = []
        var succeeded: Set<Int> = []
        var ended: [Int: Int] = [:]

        init(seed: UInt64) {
            var random = Random(state: seed)
            let count = Int.random(in: 1...60, using: &random)
            var needs: [[Int]] = []
            var lanes: [Int?] = []
            for task in 0..<count {
                var needed: Set<Int> = []
                for _ in 0..<(task == 0 ? 0 : Int.random(in: 0...3, using: &random)) {
                    needed.insert(Int.random(in: 0..<task, using: &random))
                }
                needs.append(needed.sorted())
                let lane = Int.random(in: 0...3, using: &random)
                lanes.append(lane == 3 ? nil : lane)
            }
            slots = Int.random(in: 1...6, using: &random)
            perLane = Int.random(in: 1...3, using: &random)
            scheduler = Scheduler(
                needs: needs, order: Array(0..<count), isOptional: (0..<count).map { $0 % 5 == 0 },
                concurrency: slots, lanes: lanes, perLane: perLane, failureLimit: seed % 7 == 0 ? 1 : nil)
            self.needs = needs
            self.lanes = lanes
            self.random = random
        }

        mutating func startAll() {
            while let step = scheduler.next() {
                switch step {
                case .start(let task):
                    #expect(needs[task].allSatisfy(succeeded.contains))
                    #expect(ended[task] == nil && !sleeping.contains(task))
                    #expect(running.insert(task).inserted)
                case .resume(let task):
                    #expect(sleeping.remove(task) != nil)
                    #expect(running.insert(task).inserted)
                }
            }
            #expect(running.count == scheduler.running && running.count <= slots)
            for lane in 0...2 { #expect(running.filter { lanes[$0] == lane }.count <= perLane) }
        }

        mutating func finish(_ task: Int, _ result: Scheduler.Result) {
            running.remove(task)
            sleeping.remove(task)
            if result == .succeeded { succeeded.insert(task) }
            ended[task, default: 0] += 1
            for other in scheduler.finished(task, result) { ended[other.task, default: 0] += 1 }
        }

        /// Lets one thing happen to one task; false when there is none that it could happen to.
        mutating func step() -> Bool {
            if Int.random(in: 0..<200, using: &random) == 0 {
                for other in scheduler.stop(.cancelled) { ended[other.task, default: 0] += 1 }
            }
            guard let task = running.union(sleeping).sorted().randomElement(using: &random) else { return false }
            switch (running.contains(task), Int.random(in: 0..<10, using: &random)) {
            case (true, 0..<3):
                scheduler.yielded(task)
                running.remove(task)
                sleeping.insert(task)
            case (false, 0..<6): scheduler.woke(task)
            case (_, 6): finish(task, .failed)
            case (_, 7): finish(task, Bool.random(using: &random) ? .cancelled : .skipped)
            default: finish(task, .succeeded)
            }
            return true
        }
    }

    @Test(arguments: 1...300)
    func everyTaskEndsOnceAndTheRunEnds(seed: Int) {
        var walk = Walk(seed: UInt64(seed))
        walk.startAll()
        var steps = 0
        while walk.step(), steps < 10_000 {
            walk.startAll()
            steps += 1
        }
        #expect(walk.scheduler.isDone)
        #expect(walk.ended.count == walk.needs.count)
        #expect(walk.ended.values.allSatisfy { $0 == 1 })
    }

    /// A step that looks at every task would take minutes here.
    @Test(.timeLimit(.minutes(1)))
    func aLargeRunTakesLittleTime() {
        let count = 100_000
        let needs = (0..<count).map { $0 < 1000 ? [] : [$0 - 1000] }
        var scheduler = Scheduler(
            needs: needs, order: Array(0..<count), isOptional: Array(repeating: false, count: count), concurrency: 8,
            lanes: (0..<count).map { $0 % 16 }, perLane: 1)
        var finished = 0
        while case .start(let task)? = scheduler.next() {
            _ = scheduler.finished(task, .succeeded)
            finished += 1
        }
        #expect(finished == count)
        #expect(scheduler.isDone)
    }
}
