import LibCurl
import RunnerTransfer
import Synchronization
import TestSupport
import Testing

@Suite struct EventLoopTests {
    /// Lives on a loop, as a run does.
    actor Resident {
        let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        var count = 0

        init(_ loop: EventLoop) { self.loop = loop }

        func add() { count += 1 }
    }

    @Test func oneThatNeverStartedCanBeDropped() throws {
        for _ in 0..<20 { _ = try EventLoop() }
    }

    @Test func oneThatWasStoppedCanBeDropped() throws {
        for _ in 0..<20 {
            let loop = try EventLoop()
            loop.start { nil }
            loop.stop()
        }
    }

    @Test func whatWasPostedIsDoneInOrderBeforeTheEnd() throws {
        let loop = try EventLoop()
        let log = Mutex<[Int]>([])
        for number in 0..<50 { loop.post { log.withLock { $0.append(number) } } }
        loop.start { nil }
        for number in 50..<100 { loop.post { log.withLock { $0.append(number) } } }
        loop.stop()
        #expect(log.withLock { $0 } == Array(0..<100))
    }

    @Test func whatIsPostedOnTheThreadIsDoneToo() throws {
        let loop = try EventLoop()
        let log = Mutex<[Int]>([])
        loop.post { loop.post { loop.post { log.withLock { $0.append(1) } } } }
        loop.start { nil }
        loop.stop()
        #expect(log.withLock { $0 } == [1])
    }

    @Test func manyThreadsMayPost() async throws {
        let loop = try EventLoop()
        loop.start { nil }
        let log = EventLog<Int>()
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask { for number in 0..<200 { loop.post { log.append(thread * 200 + number) } } }
            }
        }
        let done = await log.wait(forCount: 1600)
        #expect(Set(done).count == 1600)
        loop.stop()
    }

    @Test func aWakeUpIsNeverLost() async throws {
        let loop = try EventLoop()
        // The loop would sleep for a minute after each closure.
        loop.start { .seconds(60) }
        let log = EventLog<Int>()
        for number in 1...200 {
            loop.post { log.append(number) }
            #expect(await log.wait(forCount: number, for: .seconds(10)).count == number)
        }
        loop.stop()
    }

    @Test func anActorCanLiveOnIt() async throws {
        let loop = try EventLoop()
        loop.start { nil }
        let resident = Resident(loop)
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { await resident.add() } }
        }
        #expect(await resident.count == 100)
        let isolated = Mutex(false)
        loop.post { isolated.withLock { $0 = loop.isIsolatingCurrentContext() == true } }
        #expect(loop.isIsolatingCurrentContext() == false)
        loop.stop()
        #expect(isolated.withLock { $0 })
    }

    @Test func aTickIsCalledWhenItsTimeIsOver() async throws {
        let loop = try EventLoop()
        let ticks = EventLog<Void>()
        loop.start {
            ticks.append(())
            return .milliseconds(1)
        }
        #expect(await ticks.wait(forCount: 5, for: .seconds(10)).count >= 5)
        loop.stop()
    }
}
