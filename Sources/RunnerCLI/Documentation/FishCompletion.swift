/// Completion for fish.
enum FishCompletion {
    static func script(_ commands: [CommandSpec]) -> [String] {
        var lines = [
            "# fish completion for runner; made by `runner completion fish`",
            "complete -c runner -f",
        ]
        for command in commands {
            lines.append("complete -c runner -n __fish_use_subcommand -a \(command.name) -d \(quote(command.summary))")
        }
        lines += [
            "complete -c runner -n __fish_use_subcommand -a help -d 'Show the help of a command'",
            "complete -c runner -n '__fish_seen_subcommand_from help' -a \(quote(commands.map(\.name).joined(separator: " ")))",
            "complete -c runner -n __fish_use_subcommand -l help -s h -d 'Show the commands'",
            "complete -c runner -n __fish_use_subcommand -l version -d 'Show the version'",
        ]
        return lines + commands.flatMap(rules)
    }

    private static func rules(_ spec: CommandSpec) -> [String] {
        let start = "complete -c runner -n '__fish_seen_subcommand_from \(spec.name)'"
        var lines: [String] = []
        if let operand = spec.operand { lines.append(start + " " + argument(operand.value)) }
        lines += spec.options.map { option in
            var line = start + " -l \(option.long)" + (option.short.map { " -s \($0)" } ?? "")
            if let value = option.value { line += " -r " + argument(value) }
            return line + " -d " + quote(option.help)
        }
        return lines
    }

    private static func argument(_ value: ValueSpec) -> String {
        switch value.kind {
        case .text: "-f"
        case .file: "-F"
        case .folder: "-f -a '(__fish_complete_directories)'"
        case .choice(let words): "-f -a " + quote(words.joined(separator: " "))
        }
    }

    /// Single quotes of fish, in which backslash and quote are escaped by a backslash.
    private static func quote(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return result + "'"
    }
}
