/// The manual page `runner(1)`, in the man macros of groff (man-pages(7), groff_man(7)).
package enum ManualPage {
    /// The whole page; `version` stands in its footer.
    package static func roff(
        _ commands: [CommandSpec], summary: String, statuses: [ExitStatusRow], version: String
    ) -> [String] {
        let shown = commands.filter { !$0.isHidden }
        var lines = [#".TH RUNNER 1 "" "runner \#(escape(version))" "User Commands""#]
        lines += [".SH NAME", #"runner \- batch-download job runner"#, ".SH SYNOPSIS"]
        lines += shown.flatMap { [".B runner " + escape($0.name), escape(arguments($0)), ".br"] }.dropLast()
        lines += [".SH DESCRIPTION", text(summary), ".SH COMMANDS"]
        lines += shown.flatMap(section)
        lines += [".SH EXIT STATUS"]
        lines += statuses.flatMap { [".TP", ".B " + escape($0.status), text($0.meaning)] }
        lines += [".SH ENVIRONMENT"]
        lines += environment.flatMap { [".TP", ".B " + $0.status, text($0.meaning)] }
        return lines
    }

    private static let environment = [
        ExitStatusRow("NO_COLOR", "When set to anything but nothing, no colours and no bars."),
        ExitStatusRow("CI", "When set to anything but nothing or false, no bars: quiet lines as into a file."),
        ExitStatusRow("TERM", "The terminal; dumb means no colours and no bars."),
    ]

    private static func arguments(_ spec: CommandSpec) -> String {
        (["[OPTION…]"] + (spec.operand.map { [$0.form] } ?? [])).joined(separator: " ")
    }

    private static func section(_ spec: CommandSpec) -> [String] {
        var lines = [#".SS "runner \#(escape(spec.name)) \#(escape(arguments(spec)))""#]
        lines += spec.description.flatMap { [text($0), ".PP"] }.dropLast()
        for option in spec.options {
            lines += [".TP", ".B " + escape(option.forms)]
            lines.append(text(option.help + (option.isRepeatable ? " (repeatable)." : ".")))
        }
        for example in spec.examples {
            lines += [".PP", text(example.meaning + ":"), ".RS 4", ".EX", escape(example.line), ".EE", ".RE"]
        }
        return lines
    }

    /// A line of running text: escaped, and kept from being read as a request by a dot or quote in front.
    private static func text(_ line: String) -> String {
        let escaped = escape(line)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? #"\&"# + escaped : escaped
    }

    /// Backslashes, and the dashes that must stay ASCII so that an option can be copied from the page.
    private static func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += #"\e"#
            case "-": result += #"\-"#
            case "…": result += #"\&..."#
            case "`": result += #"\(aq"#
            case "\"": result += #"\(dq"#
            default: result.append(character)
            }
        }
        return result
    }
}
