/// One option of a command: parser, help, completions and manual page are all made from it.
package struct OptionSpec: Hashable, Sendable {
    /// Heading under which help shows the option.
    package enum Group: String, CaseIterable, Sendable {
        case action = "What to do"
        case input = "Job"
        case execution = "Execution"
        case output = "Output"
        case general = "General"
    }

    /// Name after the two dashes.
    package var long: String
    /// Name after a single dash; nil when there is none.
    package var short: Character?
    /// What the option takes; nil for a flag, which also has the form `--no-NAME`.
    package var value: ValueSpec?
    /// Whether every occurrence counts; otherwise the last one wins.
    package var isRepeatable: Bool
    /// Whether a flag has the form `--no-NAME`.
    package var isNegatable: Bool
    /// One sentence without final stop.
    package var help: String
    package var group: Group

    package init(
        _ long: String, short: Character? = nil, value: ValueSpec? = nil, isRepeatable: Bool = false,
        isNegatable: Bool = true, group: Group, help: String
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.isRepeatable = isRepeatable
        self.isNegatable = isNegatable && value == nil
        self.help = help
        self.group = group
    }

    /// The option as a person writes it: `--jobs`.
    package var spelling: String { "--" + long }

    /// All forms with the value's name, as help shows them: `-j, --jobs N`.
    package var forms: String {
        let short = short.map { "-\($0), " } ?? ""
        return short + spelling + (value.map { " " + $0.name } ?? "")
    }
}

/// What an option or an operand takes.
package struct ValueSpec: Hashable, Sendable {
    /// What a shell can offer for it.
    package enum Kind: Hashable, Sendable {
        case text
        case file
        case folder
        /// One of fixed words; anything else is a usage error.
        case choice([String])
    }

    /// Name in help, in capitals: `FILE`.
    package var name: String
    package var kind: Kind

    package init(_ name: String, _ kind: Kind = .text) {
        self.name = name
        self.kind = kind
    }

    /// A value that is one of fixed words, shown as `a|b|c`.
    package static func choice(_ words: [String]) -> ValueSpec {
        ValueSpec(words.joined(separator: "|"), .choice(words))
    }

    /// The fixed words; empty where any text is allowed.
    package var words: [String] {
        if case .choice(let words) = kind { words } else { [] }
    }
}
