/// Binds the words of a command line to what a command takes.
package struct ArgumentParser {
    private let spec: CommandSpec
    private var remaining: ArraySlice<String>
    private var parsed = ParsedArguments()

    /// Parses the words that follow the command's name.
    ///
    /// `--help` ends the parsing: nothing beside it matters, faults included.
    package static func parse(
        _ words: some Collection<String>, for spec: CommandSpec
    ) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(spec: spec, remaining: ArraySlice(words))
        try parser.readAll()
        return parser.parsed
    }

    private init(spec: CommandSpec, remaining: ArraySlice<String>) {
        self.spec = spec
        self.remaining = remaining
    }

    private mutating func readAll() throws(UsageError) {
        if asksForHelp() {
            parsed.set(.help, to: true)
            return
        }
        while let word = remaining.popFirst() {
            switch ArgumentToken(word) {
            case .long(let name, let value): try readLong(name, value: value)
            case .short(let letters): try readShort(letters)
            case .plain(let operand): try add(operand: operand)
            case .terminator: try addRemaining()
            }
        }
        if let operand = spec.operand, operand.isRequired, parsed.operands.isEmpty {
            throw .missingOperand(operand.value.name)
        }
    }

    private func asksForHelp() -> Bool {
        remaining.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    private mutating func addRemaining() throws(UsageError) {
        while let operand = remaining.popFirst() { try add(operand: operand) }
    }

    private mutating func add(operand: String) throws(UsageError) {
        guard let wanted = spec.operand, wanted.isRepeatable || parsed.operands.isEmpty else {
            throw .unexpectedOperand(operand)
        }
        if case .choice(let words) = wanted.value.kind, !words.contains(operand) {
            throw .unknownWord(option: wanted.value.name, value: operand, words: words)
        }
        parsed.add(operand: operand)
    }

    private mutating func readLong(_ name: String, value: String?) throws(UsageError) {
        let written = "--" + name
        if let option = spec.options.first(where: { $0.long == name }) {
            try set(option, written: written, inline: value)
        } else if name.hasPrefix("no-"),
            let option = spec.options.first(where: { $0.isNegatable && $0.long == name.dropFirst(3) })
        {
            if let value { throw .unexpectedValue(written: written, value: value) }
            parsed.set(option, to: false)
        } else {
            throw .unknownOption(written, known: spec.options)
        }
    }

    /// Reads `-abc`: flags one after the other; the first letter that takes a value takes the rest of the word.
    private mutating func readShort(_ letters: String) throws(UsageError) {
        var letters = Substring(letters)
        while let letter = letters.popFirst() {
            guard let option = spec.options.first(where: { $0.short == letter }) else {
                throw .unknownOption("-\(letter)", known: spec.options)
            }
            if option.value == nil {
                parsed.set(option, to: true)
            } else {
                let inline = letters.isEmpty ? nil : String(letters)
                return try set(option, written: "-\(letter)", inline: inline)
            }
        }
    }

    private mutating func set(_ option: OptionSpec, written: String, inline: String?) throws(UsageError) {
        guard let wanted = option.value else {
            if let inline { throw .unexpectedValue(written: written, value: inline) }
            return parsed.set(option, to: true)
        }
        let value = if let inline { inline } else { try nextWord(for: option, written: written) }
        if case .choice(let words) = wanted.kind, !words.contains(value) {
            throw .unknownWord(option: option.spelling, value: value, words: words)
        }
        parsed.set(option, to: value)
    }

    /// Takes the next word as a value.
    ///
    /// A word that looks like an option is refused: more often the value was forgotten than meant to begin with a dash,
    /// and `--name=-value` says the latter.
    private mutating func nextWord(for option: OptionSpec, written: String) throws(UsageError) -> String {
        guard let word = remaining.first, word == "-" || !word.hasPrefix("-") else {
            throw .missingValue(option, written: written, next: remaining.first)
        }
        remaining.removeFirst()
        return word
    }
}
