/// What is wrong with a command line; ``UsageErrorText`` finds the words.
package enum UsageError: Error, Hashable {
    case noCommand
    case unknownCommand(String)
    /// As written, with its dashes.
    case unknownOption(String, known: [OptionSpec])
    case missingValue(OptionSpec, written: String, next: String?)
    /// A flag was given a value.
    case unexpectedValue(written: String, value: String)
    /// One of fixed words was wanted.
    case unknownWord(option: String, value: String, words: [String])
    case invalidValue(option: String, value: String, wanted: String)
    case missingOperand(String)
    case unexpectedOperand(String)
    /// Two options, or an option and an operand, that exclude one another.
    case conflict(String, String)
}
