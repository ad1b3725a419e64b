/// The options that say what a job is.
package struct JobArguments: Hashable, Sendable {
    /// `--set`, later ones win.
    package var overrides: [String: String] = [:]
    /// `--vars`, later ones win.
    package var variableFiles: [String] = []
    package var directory: String?
    /// Id or destination of the task to explain.
    package var explains: String?
    /// `--only`, as written.
    package var only: [String] = []
    /// `--state`, as written.
    package var state: String?
    /// Whether nothing is believed that the ledger says.
    package var rehash = false
    /// Whether a job that runs programs is refused.
    package var forbidsPrograms = false

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
        forbidsPrograms = arguments.has(.noRun)
        state = arguments.value(.state)
        rehash = arguments.has(.rehash)
        for option in [OptionSpec.directory, .only, .vars, .state] where arguments.values(option).contains("") {
            throw .invalidValue(option: option.spelling, value: "", wanted: "a name that is not empty")
        }
    }
}
