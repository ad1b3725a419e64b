public import RunnerExecution
internal import RunnerJob

/// What cleaning removes, for people.
public struct CleanText: Sendable {
    private let style: Style
    private let isDryRun: Bool
    private let width: Int

    /// - Parameter items: all that will be told, so that columns fit.
    public init(_ items: [Leaving], isDryRun: Bool, style: Style = .plain) {
        self.style = style
        self.isDryRun = isDryRun
        width = min(items.map(\.path.count).max() ?? 0, 48)
    }

    /// One thing.
    public func line(_ item: Leaving) -> String {
        let bytes = ByteCount.text(item.bytes)
        let columns = [
            style.warning(isDryRun ? "would remove" : "removed"), Self.padded(item.kind.rawValue, 8),
            String(repeating: " ", count: max(0, 8 - bytes.count)) + bytes, Self.padded(item.path.printable, width),
            Self.words(item),
        ]
        return columns.joined(separator: "  ")
    }

    /// The last line.
    public func summary(_ items: [Leaving]) -> String {
        if items.isEmpty { return isDryRun ? "nothing to remove" : "nothing was removed" }
        let bytes = ByteCount.text(items.reduce(0) { $0 &+ max(0, $1.bytes) })
        return "\(items.count) \(isDryRun ? "would be removed" : "removed"), \(bytes)"
    }

    /// Why something may go.
    static func words(_ item: Leaving) -> String {
        switch item.reason {
        case .notWanted: "no task wants it"
        case .tooOld(let age, let limit): "\(wholeHours(age)) old, the limit is \(limit.words)"
        case .overCeiling(let bytes, let ceiling):
            "the oldest; all take \(ByteCount.text(bytes)), the limit is \(ByteCount.text(ceiling))"
        case .tooMany(let kept): "\(kept) newer ones are kept"
        }
    }

    /// An age to a second where it is short, else to an hour.
    private static func wholeHours(_ age: Duration) -> String {
        let seconds = age.components.seconds
        return Duration.seconds(seconds < 86_400 ? seconds : seconds / 3600 * 3600).words
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// What cleaning removes, for programs: one JSON object, schema `runner.clean/1`.
public enum CleanJSON {
    /// The schema of the object.
    public static let schema = "runner.clean/1"

    /// - Parameter failures: one sentence for each that could not be removed.
    public static func text(_ items: [Leaving], isDryRun: Bool, failures: [String] = []) -> String {
        var json = JSONWriter(capacity: 256 * (items.count + 1))
        json.object { json in
            json.member("schema", schema)
            if isDryRun { json.flag("dry_run") }
            json.key("items")
            json.array(of: items) { json, item in
                json.object { json in
                    json.member("kind", item.kind.rawValue)
                    json.member("path", item.path)
                    json.member("bytes", item.bytes)
                    json.member("reason", CleanText.words(item))
                }
            }
            json.member("bytes", items.reduce(0) { $0 &+ max(0, $1.bytes) })
            json.key("failures")
            json.array(of: failures) { json, failure in json.string(failure) }
        }
        json.newLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
