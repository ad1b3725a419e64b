/// The pages that `--help` prints.
package enum HelpPage {
    /// Columns that a page fills at most; fixed, so that a page is the same everywhere.
    private static let width = 80
    private static let column = 26

    /// The page of a command.
    package static func command(_ spec: CommandSpec) -> [String] {
        var lines = ["Usage: " + spec.usage, ""]
        for paragraph in spec.description {
            lines += TextWrap.lines(paragraph, width: width) + [""]
        }
        for group in OptionSpec.Group.allCases {
            let options = spec.options.filter { $0.group == group }
            guard !options.isEmpty else { continue }
            lines.append(group.rawValue + ":")
            lines += TextWrap.columns(options.map { (term($0), text($0)) }, at: column, width: width) + [""]
        }
        if !spec.examples.isEmpty {
            lines.append("Examples:")
            lines += spec.examples.flatMap { ["  " + $0.line, "      " + $0.meaning] } + [""]
        }
        lines.removeLast()
        return lines
    }

    /// The page of the program.
    package static func program(_ commands: [CommandSpec], summary: String, statuses: [ExitStatusRow]) -> [String] {
        var lines = ["Usage: runner COMMAND [OPTION…] …", ""]
        lines += TextWrap.lines(summary, width: width) + ["", "Commands:"]
        let rows = commands.filter { !$0.isHidden }.map { (term: $0.name, text: $0.summary) }
        lines += TextWrap.columns(rows, at: 16, width: width) + ["", "Exit status:"]
        lines += TextWrap.columns(statuses.map { ($0.status, $0.meaning) }, at: 18, width: width)
        lines += ["", "`runner COMMAND --help` explains a command.", "`runner --version` tells the versions in use."]
        return lines
    }

    /// Options without a short form are set under the long names of the others.
    private static func term(_ option: OptionSpec) -> String {
        option.short == nil ? "    " + option.forms : option.forms
    }

    private static func text(_ option: OptionSpec) -> String {
        option.help + (option.isRepeatable ? " (repeatable)" : "")
    }
}

/// One row of the table of exit statuses.
package struct ExitStatusRow: Hashable, Sendable {
    package var status: String
    package var meaning: String

    package init(_ status: String, _ meaning: String) {
        self.status = status
        self.meaning = meaning
    }
}
