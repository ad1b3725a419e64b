internal import RunnerJob
internal import RunnerReport

/// The words for a wrong command line: what is wrong, what was meant, where help is.
package enum UsageErrorText {
    /// The lines for standard error; `command` is the command whose arguments they are, if one was found.
    package static func lines(_ error: UsageError, command: String?, commands: [String]) -> [String] {
        let help = (["runner"] + (command.map { [$0] } ?? []) + ["--help"]).joined(separator: " ")
        return ["runner: error: " + message(error, commands: commands), "Try `\(help)`."]
    }

    private static func message(_ error: UsageError, commands: [String]) -> String {
        switch error {
        case .noCommand:
            "no command given"
        case .unknownCommand(let name):
            "unknown command `\(name.printable)`" + offer(Suggestion.nearest(to: name, among: commands))
        case .unknownOption(let written, let known):
            "unknown option `\(written.printable)`" + offer(meant(by: written, among: known))
        case .missingValue(let option, let written, let next):
            missingValue(option, written: written, next: next)
        case .unexpectedValue(let written, let value):
            "`\(written)` takes no value, but was given `\(value.printable)`"
        case .unknownWord(let option, let value, let words):
            "unknown value `\(value.printable)` for \(option); it is one of \(words.joined(separator: ", "))"
                + offer(Suggestion.nearest(to: value, among: words))
        case .invalidValue(let option, let value, let wanted):
            "`\(value.printable)` is no value for \(option), which takes \(wanted)"
        case .missingOperand(let name):
            "\(name) is missing"
        case .unexpectedOperand(let value):
            "`\(value.printable)` is one argument too many"
        case .conflict(let first, let second):
            "\(first) and \(second) cannot be used together"
        }
    }

    private static func missingValue(_ option: OptionSpec, written: String, next: String?) -> String {
        let name = option.value?.name ?? "value"
        let missing = "`\(written)` needs a value: \(name)"
        guard let next, written.hasPrefix("--") else { return missing }
        return missing + "; if `\(next.printable)` is meant, write `\(written)=\(next.printable)`"
    }

    private static func meant(by written: String, among known: [OptionSpec]) -> String? {
        guard written.hasPrefix("--") else { return nil }
        let name = String(written.dropFirst(2))
        let names = known.map(\.long) + known.filter(\.isNegatable).map { "no-" + $0.long }
        // A beginning of three letters is no misspelling to Suggestion, but says enough.
        let longer = name.utf8.count >= 3 ? names.first { $0.hasPrefix(name) } : nil
        return (longer ?? Suggestion.nearest(to: name, among: names)).map { "--" + $0 }
    }

    private static func offer(_ candidate: String?) -> String {
        candidate.map { "; did you mean `\($0)`?" } ?? ""
    }
}
