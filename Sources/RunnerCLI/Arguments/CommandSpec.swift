/// What a command takes and how it is explained.
package struct CommandSpec: Hashable, Sendable {
    /// What stands beside the options.
    package struct Operand: Hashable, Sendable {
        package var value: ValueSpec
        package var isRequired: Bool
        package var isRepeatable: Bool

        package init(_ value: ValueSpec, isRequired: Bool = true, isRepeatable: Bool = false) {
            self.value = value
            self.isRequired = isRequired
            self.isRepeatable = isRepeatable
        }

        /// `JOB…`, or `[COMMAND]` where it may be missing.
        package var form: String {
            let name = value.name + (isRepeatable ? "…" : "")
            return isRequired ? name : "[\(name)]"
        }
    }

    package var name: String
    /// One sentence without final stop, for the list of commands.
    package var summary: String
    /// Paragraphs below the usage line.
    package var description: [String]
    package var operand: Operand?
    package var options: [OptionSpec]
    /// Command lines with what they do.
    package var examples: [Example]
    /// Whether the list of commands leaves it out.
    package var isHidden: Bool

    /// A command line and what it does.
    package struct Example: Hashable, Sendable {
        package var line: String
        package var meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    package init(
        _ name: String, summary: String, description: [String] = [], operand: Operand? = nil,
        options: [OptionSpec] = [], examples: [Example] = [], isHidden: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.description = description
        self.operand = operand
        self.options = options + [.help]
        self.examples = examples
        self.isHidden = isHidden
    }

    /// `runner run [OPTION…] JOB…`.
    package var usage: String {
        (["runner", name, "[OPTION…]"] + (operand.map { [$0.form] } ?? [])).joined(separator: " ")
    }
}

extension OptionSpec {
    /// Every command has it.
    package static let help = OptionSpec(
        "help", short: "h", isNegatable: false, group: .general, help: "Show this help and exit")
}
