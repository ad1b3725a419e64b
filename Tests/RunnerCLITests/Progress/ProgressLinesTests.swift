import RunnerCLI
import RunnerExecution
import Testing

/// The drawing of a board, as tables of lines.
@Suite struct ProgressLinesTests {
    static func draw(
        _ events: [RunEvent], now: Int64 = 0, columns: Int = 100, rows: Int = 24,
        plan: KeyValuePairs<String, Int64?> = ["a": nil]
    ) -> [String] {
        var board = ProgressBoard(Events.plan(plan), started: 0)
        for event in events { board.apply(event) }
        return ProgressLines.draw(board, now: now, size: TerminalSize(columns: columns, rows: rows))
    }

    static let half = [
        Events.started("iso/debian.iso", bytes: 1 << 30),
        Events.moved("iso/debian.iso", 1 << 29, of: 1 << 30, rate: 10 << 20),
    ]

    @Test func aTransferHasBarAmountRateAndTime() {
        let lines = Self.draw(Self.half, now: 51_200, plan: ["iso/debian.iso": 1 << 30])
        #expect(
            lines == [
                "iso/debian.iso                            [========>       ]   512 MiB / 1.0 GiB 10.0 MiB/s     52s",
                "0/1 tasks, 512 MiB, 10.0 MiB/s, 52s left, 51s gone",
            ])
    }

    @Test(arguments: [
        (80, true, true, true), (64, false, true, true), (54, false, true, false), (40, false, false, false),
    ])
    func columnsGoAsTheWindowNarrows(columns: Int, bar: Bool, rate: Bool, time: Bool) {
        let line = Self.draw(Self.half, columns: columns)[0]
        #expect(line.contains("[") == bar)
        #expect(line.contains("MiB/s") == rate)
        #expect(line.contains("52s") == time)
        #expect(line.contains("512 MiB / 1.0 GiB"))
    }

    @Test(arguments: Array(1...130))
    func noLineFillsTheWindow(columns: Int) {
        let events =
            Self.half + [
                Events.started("日本語のとても長いファイル名日本語のとても長いファイル名.tar.gz"),
                Events.started("w"),
                Events.broke("w", retryIn: .seconds(60), "the connection was reset by the server, 日本"),
                Events.started("x"), Events.moved("x", 12, of: nil, rate: nil),
            ]
        for line in Self.draw(events, columns: columns) {
            #expect(DisplayWidth.of(line) < max(columns, 2), "\(line)")
        }
    }

    @Test(arguments: [
        (1, "[>               ]"), (50, "[========>       ]"), (99, "[===============>]"), (100, "[================]"),
        (120, "[================]"),
    ])
    func bars(bytes: Int64, bar: String) {
        let line = Self.draw([
            Events.started("a"), Events.asked("a", from: 1), Events.moved("a", bytes, of: 100, rate: 1),
        ])[0]
        #expect(line.contains(bar), "\(line)")
    }

    @Test func aTransferOfUnknownSizeShowsWhatCame() {
        let line = Self.draw([Events.started("a"), Events.moved("a", 5 << 20, of: nil, rate: 1 << 20)])[0]
        #expect(line.contains("5.0 MiB  "))
        #expect(!line.contains("/ "))
    }

    @Test func waitingIsToldWithItsReason() {
        let events = [Events.started("a"), Events.broke("a", at: 1000, retryIn: .seconds(12), "HTTP 503")]
        #expect(Self.draw(events, now: 1000)[0] == "a".padded(toWidth: 42) + "again in 12s: HTTP 503")
        #expect(Self.draw(events, now: 12_500)[0] == "a".padded(toWidth: 42) + "again in 1s: HTTP 503")
        #expect(Self.draw(events, now: 99_000)[0] == "a".padded(toWidth: 42) + "again in 0s: HTTP 503")
    }

    @Test func aSilentServerIsToldWithTheTime() {
        #expect(
            Self.draw([Events.started("a", at: 1000)], now: 4500)[0] == "a".padded(toWidth: 42)
                + "waiting for the server, 3s")
    }

    @Test func aClockThatWentBackIsNoTrap() {
        #expect(
            Self.draw([Events.started("a", at: 5000)], now: 0)[0] == "a".padded(toWidth: 42)
                + "waiting for the server, 0s")
    }

    @Test func onlyAsManyTasksAreShownAsFit() {
        let events = (1...30).map { Events.started("task\($0)") }
        let lines = Self.draw(events, rows: 8)
        #expect(lines.count == 7)
        #expect(lines[4].hasPrefix("task5"))
        #expect(lines[5] == "and 25 more")
        #expect(lines[6].hasPrefix("0/1 tasks"))
        #expect(Self.draw(events, rows: 1).count == 1)
    }

    @Test func namesCannotSteerTheTerminal() {
        let lines = Self.draw([Events.started("\u{1B}[2J"), Events.moved("\u{1B}[2J", 1, of: 2, rate: 1)])
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test func failuresAreInTheLineForTheWhole() {
        let lines = Self.draw([Events.ended("a", .failed)], now: 65_000)
        #expect(lines == ["1/1 tasks, 0 B, 1m05s gone, 1 failed"])
    }
}
