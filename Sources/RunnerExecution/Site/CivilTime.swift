#if canImport(Glibc)
    import Glibc
#endif

/// A point in time by the calendar, in UTC (gmtime_r(3)).
struct CivilTime {
    private let parts: tm

    init(utc seconds: Int64) {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        self.parts = parts
    }

    private var date: [String] {
        [String(parts.tm_year + 1900), Self.two(parts.tm_mon + 1), Self.two(parts.tm_mday)]
    }

    private var clock: [String] { [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.two) }

    /// `2026-11-30 05:44:02 UTC`.
    var text: String { "\(date.joined(separator: "-")) \(clock.joined(separator: ":")) UTC" }

    /// `20261130T054402Z`.
    var compact: String { "\(date.joined())T\(clock.joined())Z" }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
