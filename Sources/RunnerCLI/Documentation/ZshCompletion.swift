/// Completion for zsh, in the terms of `_arguments` (zshcompsys(1)).
enum ZshCompletion {
    static func script(_ commands: [CommandSpec]) -> [String] {
        var lines = [
            "#compdef runner",
            "# zsh completion for runner; made by `runner completion zsh`",
            "_runner() {",
            "    local -a commands",
            "    commands=(",
        ]
        lines += commands.map { "        " + "\($0.name):\(escape($0.summary))".shellQuoted }
        lines += [
            "        'help:Show the help of a command'",
            "    )",
            "    if ((CURRENT == 2)); then",
            "        _describe command commands",
            "        return",
            "    fi",
            "    local command=$words[2]",
            "    shift words",
            "    ((CURRENT--))",
            "    case $command in",
        ]
        lines += commands.flatMap(branch)
        lines += [
            "    help) _describe command commands ;;",
            "    esac",
            "}",
            #"if [[ $funcstack[1] == _runner ]]; then _runner "$@"; else compdef _runner runner; fi"#,
        ]
        return lines
    }

    private static func branch(_ spec: CommandSpec) -> [String] {
        var arguments = spec.options.flatMap(option)
        if let operand = spec.operand {
            arguments.append("\(operand.isRepeatable ? "*" : "1"):\(operand.value.name):\(action(operand.value))")
        }
        return ["    \(spec.name))", #"        _arguments -s -S \"#]
            + arguments.map { "            " + $0.shellQuoted + #" \"# }.dropLast()
            + arguments.suffix(1).map { "            " + $0.shellQuoted }
            + ["        ;;"]
    }

    /// One specification for each form of an option.
    private static func option(_ option: OptionSpec) -> [String] {
        let repeated = option.isRepeatable ? "*" : ""
        let help = "[\(escape(option.help))]"
        guard let value = option.value else {
            return forms(option).map { repeated + $0 + help }
        }
        let message = ":\(escape(value.name)):\(action(value))"
        return forms(option).map { form in
            repeated + form + (form.hasPrefix("--") ? "=" : "+") + help + message
        }
    }

    private static func forms(_ option: OptionSpec) -> [String] {
        (option.short.map { ["-\($0)"] } ?? []) + [option.spelling]
    }

    private static func action(_ value: ValueSpec) -> String {
        switch value.kind {
        case .text: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .choice(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Colons and brackets mean something in a specification.
    private static func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            if [":", "[", "]", "\\"].contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
