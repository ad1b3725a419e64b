import Testing

@testable import RunnerJob

@Suite struct TimeWindowTests {
    @Test(arguments: [
        ("22:00-06:00", 1320, 480, 7), ("0:00-24:00", 0, 1440, 7), ("08:30-17:05", 510, 515, 7),
        ("Mon-Fri 22:00-06:00", 1320, 480, 5), ("sat,Sun 00:00-12:00", 0, 720, 2), ("Sat-Mon 1:00-2:00", 60, 60, 3),
        ("Wednesday 01:00-00:00", 60, 1380, 1), ("Mon, Wed-Thu 1:00-2:00", 60, 60, 3),
    ])
    func readsWindows(text: String, begin: Int, length: Int, days: Int) throws {
        let window = try TimeWindow(text)
        #expect(window.begin == begin)
        #expect(window.length == length)
        #expect(window.days.count == days)
    }

    @Test(arguments: [
        ("", TimeWindowFault.noTimes), ("night", .noTimes), ("22:00", .noTimes), ("22:00-23:00-24:00", .noTimes),
        ("22-06", .noTimes), ("25:00-06:00", .badTime("25:00")), ("22:60-06:00", .badTime("22:60")),
        ("22:00-24:01", .badTime("24:01")), ("22:0-06:00", .badTime("22:0")), ("22:00-6am", .badTime("6am")),
        ("24:00-06:00", .lateBegin), ("06:00-06:00", .empty), ("Mo 22:00-06:00", .badDay("Mo")),
        ("Mon-Fry 22:00-06:00", .badDay("Fry")), ("Mon- 22:00-06:00", .badDay("")),
    ])
    func refusesTheRest(text: String, fault: TimeWindowFault) {
        #expect(throws: fault) { _ = try TimeWindow(text) }
    }

    /// 2026-03-02 is a Monday.
    private func seconds(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Int64 {
        Int64(LocalTime(year: 2026, month: 3, day: day).daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60)
    }

    private func state(_ texts: [String], day: Int, _ hour: Int, _ minute: Int = 0) throws -> WindowState {
        WindowState(try texts.map { try TimeWindow($0) }, at: seconds(day, hour, minute)) { LocalTime(universal: $0) }
    }

    @Test func opensAndClosesByTheClock() throws {
        let night = ["22:00-06:00"]
        #expect(try state(night, day: 2, 21, 59) == .closed(until: seconds(2, 22)))
        #expect(try state(night, day: 2, 22) == .open(until: seconds(3, 6)))
        #expect(try state(night, day: 3, 5, 59) == .open(until: seconds(3, 6)))
        #expect(try state(night, day: 3, 6) == .closed(until: seconds(3, 22)))
    }

    @Test func daysAreThoseOnWhichItBegins() throws {
        let weekdays = ["Mon-Fri 22:00-06:00"]
        #expect(try state(weekdays, day: 7, 3) == .open(until: seconds(7, 6)))
        #expect(try state(weekdays, day: 7, 23) == .closed(until: seconds(9, 22)))
        #expect(try state(weekdays, day: 2, 3) == .closed(until: seconds(2, 22)))
    }

    @Test func oneLeadsToTheNext() throws {
        let windows = ["Mon-Fri 22:00-06:00", "06:00-08:00", "Sat,Sun 00:00-24:00"]
        #expect(try state(windows, day: 3, 1) == .open(until: seconds(3, 8)))
        // From Friday night through the weekend to Monday's morning hours.
        #expect(try state(windows, day: 6, 23) == .open(until: seconds(9, 0)))
        #expect(try state(["00:00-12:00", "12:00-24:00"], day: 4, 9) == .open(until: nil))
        #expect(try state([], day: 4, 9) == .open(until: nil))
    }

    @Test func followsClocksThatAreSet() throws {
        // Central Europe on 2026-03-29: at 01:00 UTC the clock goes from 02:00 to 03:00.
        let change = seconds(29, 1)
        let local: (Int64) -> LocalTime = { time in
            let offset = time < change ? 3600 : 7200
            var fields = LocalTime(universal: time + Int64(offset))
            fields.offset = offset
            return fields
        }
        let night = [try TimeWindow("22:00-06:00")]
        // Opens on Saturday at 21:00 UTC, closes on Sunday at 04:00 UTC: an hour less.
        #expect(WindowState(night, at: seconds(28, 20), local: local) == .closed(until: seconds(28, 21)))
        #expect(WindowState(night, at: seconds(28, 21), local: local) == .open(until: seconds(29, 4)))
        #expect(WindowState(night, at: seconds(29, 4), local: local) == .closed(until: seconds(29, 20)))
    }

    @Test func isWrittenAsAPersonWouldSayIt() {
        let now = LocalTime(year: 2026, month: 3, day: 2, hour: 9)
        #expect(LocalTime(year: 2026, month: 3, day: 2, hour: 22).clockText(seenFrom: now) == "22:00")
        #expect(LocalTime(year: 2026, month: 3, day: 7, hour: 6, minute: 5).clockText(seenFrom: now) == "Sat 06:05")
    }
}
