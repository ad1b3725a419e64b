/// The time that a job's dates are made from, taken once at the start of a run.
public struct JobClock: Sendable {
    /// Seconds since 1970.
    public var now: Int64
    /// Breaks a time (seconds since 1970) into local time, as `localtime_r(3)` does.
    public var local: @Sendable (Int64) -> LocalTime

    public init(now: Int64, local: @escaping @Sendable (Int64) -> LocalTime) {
        self.now = now
        self.local = local
    }

    /// A clock whose local time is universal time.
    public static func utc(now: Int64) -> JobClock {
        JobClock(now: now) { LocalTime(universal: $0) }
    }
}

/// A time in the Gregorian calendar of some zone.
public struct LocalTime: Hashable, Sendable {
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    public var hour: Int
    public var minute: Int
    /// 0 to 60.
    public var second: Int
    /// Seconds east of universal time.
    public var offset: Int
    /// Abbreviation of the zone, such as `CET`.
    public var zone: String

    public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, offset: Int = 0,
        zone: String = "UTC"
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.offset = offset
        self.zone = zone
    }

    /// The universal time of an instant, in seconds since 1970.
    public init(universal seconds: Int64) {
        let (days, rest) = Self.divide(seconds, by: 86_400)
        self.init(
            year: 1970, month: 1, day: 1, hour: Int(rest / 3600), minute: Int(rest / 60 % 60), second: Int(rest % 60))
        setDate(daysSince1970: Int(days))
    }

    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = ((number % divisor) + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }
}
