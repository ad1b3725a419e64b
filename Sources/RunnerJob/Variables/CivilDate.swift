// Day arithmetic of the Gregorian calendar, with years that begin in March so that the leap day comes last.
// The formulas are Howard Hinnant's (https://howardhinnant.github.io/date_algorithms.html).
extension LocalTime {
    /// Days from 1970-01-01 to this date.
    var daysSince1970: Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Sets year, month and day, and leaves the time of day.
    mutating func setDate(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since Sunday, 0 to 6.
    var weekday: Int { ((daysSince1970 + 4) % 7 + 7) % 7 }

    /// Day of the year, 1 to 366.
    var dayOfYear: Int {
        daysSince1970 - LocalTime(year: year, month: 1, day: 1).daysSince1970 + 1
    }

    /// The ISO 8601 week, 1 to 53, and the year that it belongs to.
    var isoWeek: (year: Int, week: Int) {
        // The week belongs to the year that its Thursday lies in.
        let mondayBased = (weekday + 6) % 7
        var thursday = self
        thursday.setDate(daysSince1970: daysSince1970 - mondayBased + 3)
        return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
    }

    /// Seconds since 1970.
    var instant: Int {
        daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
    }
}
