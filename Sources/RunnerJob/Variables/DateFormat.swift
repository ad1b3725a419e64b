/// Writes times by the conversions of `strftime(3)`, with the names of the C locale whatever the locale is.
enum DateFormat {
    /// A conversion that is not known.
    struct Fault: Error, Hashable, CustomStringConvertible {
        var conversion: String

        var description: String {
            "\(shown("%" + conversion)) is not known in a date; known are %Y %m %d %H %M %S %j %y %F %T %R %e %a %A %b %B %u %w"
                + " %V %G %I %p %s %z %Z %%"
        }
    }

    static func text(_ time: LocalTime, _ format: String) throws(Fault) -> String {
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard let conversion = rest.popFirst() else { throw Fault(conversion: "") }
            guard let piece = piece(time, conversion) else { throw Fault(conversion: String(conversion)) }
            text += piece
        }
        return text
    }

    private static func piece(_ time: LocalTime, _ conversion: Character) -> String? {
        switch conversion {
        case "%": "%"
        case "F": "\(digits(time.year, 4))-\(digits(time.month))-\(digits(time.day))"
        case "T": "\(digits(time.hour)):\(digits(time.minute)):\(digits(time.second))"
        case "R": "\(digits(time.hour)):\(digits(time.minute))"
        case "Y": digits(time.year, 4)
        case "y": digits((time.year % 100 + 100) % 100)
        case "m": digits(time.month)
        case "d": digits(time.day)
        case "e": time.day < 10 ? " \(time.day)" : "\(time.day)"
        case "H": digits(time.hour)
        case "I": digits((time.hour + 11) % 12 + 1)
        case "p": time.hour < 12 ? "AM" : "PM"
        case "M": digits(time.minute)
        case "S": digits(time.second)
        case "s": String(time.instant)
        case "z": zone(time.offset)
        case "Z": time.zone
        default: named(time, conversion)
        }
    }

    private static func named(_ time: LocalTime, _ conversion: Character) -> String? {
        let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        // A closure of the caller's gives the month, so that it need not lie in the table.
        let month = months.indices.contains(time.month - 1) ? months[time.month - 1] : "?"
        return switch conversion {
        case "a": String(weekdays[time.weekday].prefix(3))
        case "A": weekdays[time.weekday]
        case "b", "h": String(month.prefix(3))
        case "B": month
        case "u": String((time.weekday + 6) % 7 + 1)
        case "w": String(time.weekday)
        case "j": digits(time.dayOfYear, 3)
        case "V": digits(time.isoWeek.week)
        case "G": digits(time.isoWeek.year, 4)
        default: nil
        }
    }

    private static func zone(_ offset: Int) -> String {
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + digits(minutes / 60) + digits(minutes % 60)
    }

    private static func digits(_ number: Int, _ width: Int = 2) -> String {
        let text = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
