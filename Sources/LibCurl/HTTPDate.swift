internal import CLibCurl
import Glibc

/// Seconds since 1970 of an HTTP date in any of its three forms (RFC 9110 section 5.6.7); nil for anything else.
///
/// `curl_getdate(3)` takes much more for a date: one without a zone, a day that the month has not, numbers alone. Of that
/// only other ways to write a form are let pass, such as a day of one digit.
package func httpDate(_ text: String) -> Int64? {
    guard hasHTTPZone(text), let day = firstNumber(in: text) else { return nil }
    let seconds = curl_getdate(text, nil)
    // A day beyond its month's end is counted on into the next. So is the second 60, which there may be. The year 1,
    // for a time that is not known, would be 2001.
    let year = year(in: text)
    let isMeant = [seconds, seconds - 1].compactMap(date).contains { date in
        date.tm_mday == day && (year.map { $0 == date.tm_year + 1900 } ?? true)
    }
    return seconds != -1 && isMeant ? Int64(seconds) : nil
}

/// Whether a text ends as a date of HTTP does: with its zone, or with the year in the form of asctime(3).
private func hasHTTPZone(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    guard let last = words.last else { return false }
    if ["GMT", "UTC", "UT", "Z", "+0000", "-0000"].contains(last) { return true }
    return words.count == 5 && words[0].utf8.count == 3 && words[3].utf8.contains(UInt8(ascii: ":"))
        && last.utf8.count == 4 && Int(last) != nil
}

/// In all three forms that is the day of the month.
private func firstNumber(in text: String) -> Int32? {
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let digits = text.utf8.drop { !isDigit($0) }.prefix(while: isDigit)
    return digits.count <= 2 ? Int32(Substring(digits)) : nil
}

/// The year where it is written in full; nil for the two digits of RFC 850.
private func year(in text: String) -> Int32? {
    text.split(separator: " ").lazy.filter { $0.utf8.count == 4 }.compactMap { Int32($0) }.first
}

private func date(_ seconds: time_t) -> tm? {
    var (seconds, date) = (seconds, tm())
    return gmtime_r(&seconds, &date) == nil ? nil : date
}
