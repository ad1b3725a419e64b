import Glibc
package import Testing

/// Compares a text with the golden file `Golden/NAME` beside the test's source file.
///
/// Under `RUNNER_RECORD=1` the file is written instead, except where `CI` is set: a pipeline never records.
/// Both sides are compared whole; the first line that differs is named.
package func expectGolden(
    _ text: String, _ name: String, file: String = #filePath, at location: SourceLocation = #_sourceLocation
) throws {
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = "\(folder)/Golden/\(name)"
    if getenv("RUNNER_RECORD") != nil, getenv("CI") == nil {
        mkdir("\(folder)/Golden", 0o777)
        try DiskFile.write(path, text)
        return
    }
    guard let wanted = DiskFile.text(path) else {
        Issue.record(
            "no golden file \(name): run the test once with RUNNER_RECORD=1, then read what was recorded",
            sourceLocation: location)
        return
    }
    if wanted != text {
        Issue.record("\(name): \(firstDifference(wanted, text))", sourceLocation: location)
    }
}

private func firstDifference(_ wanted: String, _ found: String) -> String {
    let wanted = wanted.split(separator: "\n", omittingEmptySubsequences: false)
    let found = found.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(wanted.count, found.count) {
        let left = index < wanted.count ? "\"\(wanted[index])\"" : "the end"
        let right = index < found.count ? "\"\(found[index])\"" : "the end"
        if left != right {
            return "line \(index + 1): wanted \(left), found \(right)\n--- found\n\(found.joined(separator: "\n"))"
        }
    }
    return "equal by lines, different by bytes"
}

/// Replaces what differs between two runs by fixed words, for golden texts.
package enum Normal {
    /// Replaces ports of loopback, times, dates and durations, and each given text by its word.
    ///
    /// - Parameters:
    ///   - text: What the program wrote.
    ///   - replacing: Texts, such as the path of a temporary folder, and the words for them.
    ///   - keepingDurations: Whether durations are the same in every run, as in a plan.
    package static func text(
        _ text: String, replacing: KeyValuePairs<String, String> = [:], keepingDurations: Bool = false
    ) -> String {
        var text = text
        for (old, new) in replacing where !old.isEmpty { text = replace(old, by: new, in: text) }
        text.replace(#/(127\.0\.0\.1|localhost|\[::1\]):\d+/#) { "\($0.1):PORT" }
        text.replace(#/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/#, with: "TIME")
        text.replace(#/\b20\d{2}-\d{2}-\d{2}\b/#, with: "DATE")
        if !keepingDurations { text.replace(#/\b\d+(\.\d+)? ?(ms|s)\b/#, with: "DURATION") }
        return text
    }

    /// `String.replacing(_:with:)` by bytes, so that no Unicode normal form stands in the way.
    private static func replace(_ old: String, by new: String, in text: String) -> String {
        text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
