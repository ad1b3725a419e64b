import RunnerCLI
import RunnerExecution
import RunnerJob
import Testing

/// What the screen knows after each event.
@Suite struct ProgressBoardTests {
    static func board(_ tasks: KeyValuePairs<String, Int64?>, after events: [RunEvent]) -> ProgressBoard {
        var board = ProgressBoard(Events.plan(tasks), started: 0)
        for event in events { board.apply(event) }
        return board
    }

    @Test func tasksAtWorkAreInTheOrderOfTheirStart() {
        let board = Self.board(
            ["a": nil, "b": nil, "c": nil],
            after: [Events.started("b"), Events.started("a"), Events.started("c"), Events.ended("a", .succeeded)])
        #expect(board.running.map(\.name) == ["b", "c"])
        #expect(board.ended == 1)
    }

    @Test func remainingBytesAreKnownWhenAllSizesAre() {
        var board = Self.board(["a": 100, "b": 50], after: [])
        #expect(board.remaining == 150)
        board.apply(Events.started("a", bytes: 100))
        board.apply(Events.moved("a", 30, of: 100, rate: 10))
        #expect(board.remaining == 120)
        board.apply(Events.ended("a", .succeeded, bytes: 100))
        #expect(board.remaining == 50)
        #expect(board.bytes == 100)
        board.apply(Events.ended("b", .blocked, blockedBy: "a"))
        #expect(board.remaining == 0)
    }

    @Test func aSizeThatNobodyKnowsLeavesTheRestUnknown() {
        var board = Self.board(["a": nil, "b": 50], after: [])
        #expect(board.remaining == nil)
        board.apply(Events.started("a"))
        #expect(board.remaining == nil)
        board.apply(Events.moved("a", 10, of: 40, rate: nil))
        #expect(board.remaining == 80)
    }

    @Test func moreBytesThanPromisedAreNoDebt() {
        let board = Self.board(
            ["a": 10], after: [Events.started("a", bytes: 10), Events.moved("a", 30, of: 10, rate: 1)])
        #expect(board.remaining == 0)
    }

    @Test func hugeSizesDoNotTrap() {
        let board = Self.board(
            ["a": .max, "b": .max, "c": .max],
            after: [
                Events.started("a", bytes: .max), Events.moved("a", .max, of: .max, rate: .max),
                Events.started("b", bytes: .max), Events.moved("b", .max, of: .max, rate: .max),
                Events.ended("a", .succeeded, bytes: .max), Events.ended("b", .succeeded, bytes: .max),
            ])
        #expect(board.bytes == .max)
        _ = ProgressLines.draw(board, now: .max, size: TerminalSize(columns: 80, rows: 24))
    }

    @Test func failuresCountBlockedTasks() {
        let board = Self.board(
            ["a": nil, "b": nil, "c": nil, "d": nil],
            after: [
                Events.ended("a", .failed), Events.ended("b", .blocked), Events.ended("c", .cancelled),
                Events.ended("d", .upToDate, bytes: 7),
            ])
        #expect(board.failed == 2)
        #expect(board.ended == 4)
        #expect(board.bytes == 7)
    }

    @Test func aWaitEndsWithTheNextAttempt() {
        var board = Self.board(
            ["a": nil], after: [Events.started("a"), Events.broke("a", at: 500, retryIn: .seconds(3))])
        #expect(board.running.first?.phase == .waiting(until: 3500, reason: "reset"))
        board.apply(Events.asked("a", from: 20))
        #expect(board.running.first?.phase == .asking)
        #expect(board.running.first?.bytes == 20)
        board.apply(Events.moved("a", 30, of: nil, rate: 5))
        #expect(board.running.first?.phase == .receiving)
        #expect(board.rate == 5)
        board.apply(Events.broke("a", retryIn: nil))
        #expect(board.rate == 0)
    }
}
