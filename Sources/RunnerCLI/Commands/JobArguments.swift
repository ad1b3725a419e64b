/// The options that say what a job is.
package struct JobArguments: Hashable, Sendable {
    /// `--set`, later ones win.
    package var overrides: [String: String] = [:]
    /// `--vars`, later ones win.
    package var variableFiles: [String] = []
    package var directory: String?
    /// `--only`, as written.
    package var only: [String] = []

    package init() {}

    init(_ arguments: ParsedArguments) throws(UsageError) {
        for text in arguments.values(.set) {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw .invalidValue(option: OptionSpec.set.spelling, value: text, wanted: "NAME=VALUE")
            }
            overrides[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        variableFiles = arguments.values(.vars)
        directory = arguments.value(.directory)
        only = arguments.values(.only)
        for option in [OptionSpec.directory, .only, .vars] where arguments.values(option).contains("") {
            throw .invalidValue(option: option.spelling, value: "", wanted: "a name that is not empty")
        }
    }
}
