/// A command line that fits its command: options in order of appearance, and operands.
package struct ParsedArguments: Hashable, Sendable {
    private enum Setting: Hashable {
        case flag(Bool)
        case value(String)
    }

    private var settings: [String: [Setting]] = [:]
    package private(set) var operands: [String] = []

    package init() {}

    mutating func add(operand: String) {
        operands.append(operand)
    }

    mutating func set(_ option: OptionSpec, to isOn: Bool) {
        settings[option.long] = [.flag(isOn)]
    }

    mutating func set(_ option: OptionSpec, to value: String) {
        if option.isRepeatable {
            settings[option.long, default: []].append(.value(value))
        } else {
            settings[option.long] = [.value(value)]
        }
    }

    /// Whether a flag is on; false when it was not given.
    package func has(_ option: OptionSpec) -> Bool {
        settings[option.long] == [.flag(true)]
    }

    /// The value of an option, the last one where it was given twice.
    package func value(_ option: OptionSpec) -> String? {
        values(option).last
    }

    /// All values of a repeatable option, in order.
    package func values(_ option: OptionSpec) -> [String] {
        (settings[option.long] ?? []).compactMap { setting in
            if case .value(let value) = setting { value } else { nil }
        }
    }

    /// The value of an option with fixed words as the enum whose raw values they are.
    package func word<Word: RawRepresentable<String>>(_ option: OptionSpec, as type: Word.Type) -> Word? {
        value(option).flatMap(Word.init(rawValue:))
    }

    /// The value of an option that takes a number.
    ///
    /// - Throws: ``UsageError/invalidValue(option:value:wanted:)`` for anything but digits, and outside of `range`.
    package func number(_ option: OptionSpec, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        let isDigits = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard isDigits, let number = Int(text), range.contains(number) else {
            throw .invalidValue(
                option: option.spelling, value: text,
                wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
