import Testing

@testable import RunnerJob

@Suite struct DateTests {
    @Test(arguments: [
        (0, 1970, 1, 1, 0, 0, 0), (951_782_400, 2000, 2, 29, 0, 0, 0), (1_772_368_496, 2026, 3, 1, 12, 34, 56),
        (-1, 1969, 12, 31, 23, 59, 59),
        (4_102_444_800, 2100, 1, 1, 0, 0, 0), (4_107_542_400, 2100, 3, 1, 0, 0, 0), (-62_135_596_800, 1, 1, 1, 0, 0, 0),
    ])
    func breaksUniversalTimeDown(
        seconds: Int64, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) {
        let time = LocalTime(universal: seconds)
        #expect(time == LocalTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second))
        #expect(time.instant == Int(seconds))
    }

    @Test func goesThroughTheCalendarWithoutAGap() {
        var time = LocalTime(year: 1999, month: 12, day: 31)
        var before = time
        for days in 10_957..<12_500 {
            time.setDate(daysSince1970: days)
            #expect(time.daysSince1970 == days)
            let isNext = time.day == before.day + 1 || time.day == 1 && (time.month == before.month % 12 + 1)
            #expect(isNext)
            before = time
        }
    }

    @Test(arguments: [
        ("%Y-%m-%d", "2026-03-01"), ("%F", "2026-03-01"), ("%T", "09:05:07"), ("%R", "09:05"), ("%H%M%S", "090507"),
        ("%y", "26"),
        ("%e", " 1"), ("%j", "060"), ("%a %A", "Sun Sunday"), ("%b %B %h", "Mar March Mar"), ("%u %w", "7 0"),
        ("%G-W%V", "2026-W09"),
        ("%I %p", "09 AM"), ("%z %Z", "+0130 XST"), ("%%", "%"), ("é%m", "é03"), ("%s", "1772350507"),
    ])
    func writesDates(format: String, text: String) throws {
        let time = LocalTime(year: 2026, month: 3, day: 1, hour: 9, minute: 5, second: 7, offset: 5400, zone: "XST")
        #expect(try DateFormat.text(time, format) == text)
    }

    /// Years whose first and last days belong to a week of another year (ISO 8601).
    @Test(arguments: [
        (2024, 12, 30, "2025-W01"), (2027, 1, 1, "2026-W53"), (2026, 12, 31, "2026-W53"), (2023, 1, 1, "2022-W52"),
        (2024, 1, 1, "2024-W01"),
    ])
    func knowsISOWeeks(year: Int, month: Int, day: Int, week: String) throws {
        #expect(try DateFormat.text(LocalTime(year: year, month: month, day: day), "%G-W%V") == week)
    }

    @Test(arguments: [(0, "12 AM"), (11, "11 AM"), (12, "12 PM"), (13, "01 PM"), (23, "11 PM")])
    func countsTwelveHours(hour: Int, text: String) throws {
        #expect(try DateFormat.text(LocalTime(year: 2026, month: 1, day: 1, hour: hour), "%I %p") == text)
    }

    @Test(arguments: ["%", "%q", "%Y-%", "%E", "%é"])
    func refusesConversionsThatAreNotKnown(format: String) {
        #expect(throws: DateFormat.Fault.self) { try DateFormat.text(LocalTime(year: 2026, month: 1, day: 1), format) }
    }

    @Test(arguments: [
        ("", 0, 0), ("-1d", -1, 0), ("+1d", 1, 0), ("-2w", -14, 0), ("-1w2d", -9, 0), ("-12h", 0, -43_200),
        ("+90m", 0, 5400),
        ("+1d30s", 1, 30),
    ])
    func readsShifts(text: String, days: Int, seconds: Int) {
        #expect(DateShift(text)?.days == days)
        #expect(DateShift(text)?.seconds == seconds)
    }

    @Test(arguments: [
        "1d", "-", "-d", "-1", "-1x", "--1d", "-1D", "-999999999d", "-99999999d", "+9999999w", "+99999999h99999999h",
    ])
    func refusesOtherShifts(text: String) {
        #expect(DateShift(text) == nil)
    }

    @Test func shiftsDaysByTheCalendar() {
        // A zone that is an hour ahead from the instant 1,000,000 on.
        let clock = JobClock(now: 1_000_000 + 1800) { seconds in
            var time = LocalTime(universal: seconds + (seconds < 1_000_000 ? 0 : 3600))
            time.offset = seconds < 1_000_000 ? 0 : 3600
            time.zone = seconds < 1_000_000 ? "WET" : "WEST"
            return time
        }
        let today = clock.time(shiftedBy: DateShift("") ?? DateShift())
        let yesterday = clock.time(shiftedBy: DateShift("-1d") ?? DateShift())
        #expect(
            today
                == LocalTime(
                    year: 1970, month: 1, day: 12, hour: 15, minute: 16, second: 40, offset: 3600, zone: "WEST"))
        #expect(
            yesterday
                == LocalTime(year: 1970, month: 1, day: 11, hour: 15, minute: 16, second: 40, offset: 0, zone: "WET"))
    }

    @Test func shiftsOverTheEndOfAMonthAndAYear() throws {
        let clock = JobClock.utc(now: 1_772_368_496)
        func date(_ shift: String) throws -> String {
            try DateFormat.text(clock.time(shiftedBy: try #require(DateShift(shift))), "%F %H")
        }
        #expect(try date("-1d") == "2026-02-28 12")
        #expect(try date("-60d") == "2025-12-31 12")
        #expect(try date("-13h") == "2026-02-28 23")
        #expect(try date("+365d") == "2027-03-01 12")
    }
}
