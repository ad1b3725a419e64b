/// Completion for bash 4 and later, without the bash-completion package.
enum BashCompletion {
    static func script(_ commands: [CommandSpec]) -> [String] {
        let names = commands.map(\.name).joined(separator: " ")
        var lines = [
            "# bash completion for runner; made by `runner completion bash`",
            "_runner() {",
            #"    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}""#,
            "    COMPREPLY=()",
            "    # Readline takes --name=value apart at the sign.",
            #"    [[ "$before" == "=" ]] && before="${COMP_WORDS[COMP_CWORD-2]}""#,
            #"    [[ "$word" == "=" ]] && word="""#,
            "    if ((COMP_CWORD == 1)); then",
            #"        COMPREPLY=($(compgen -W "\#(names) help --help --version" -- "$word"))"#,
            "        return",
            "    fi",
            #"    case "$command" in"#,
        ]
        lines += commands.flatMap(branch)
        lines += [
            "    help)",
            #"        COMPREPLY=($(compgen -W "\#(names)" -- "$word"))"#,
            "        ;;",
            "    esac",
            "}",
            "complete -F _runner runner",
        ]
        return lines
    }

    private static func branch(_ spec: CommandSpec) -> [String] {
        var lines = ["    \(spec.name))", #"        case "$before" in"#]
        for option in spec.options {
            guard let value = option.value else { continue }
            let forms = (option.short.map { ["-\($0)"] } ?? []) + [option.spelling]
            lines += [
                "        \(forms.joined(separator: "|")))", "            " + reply(value), "            return",
                "            ;;",
            ]
        }
        lines += ["        esac", #"        if [[ "$word" == -* ]]; then"#]
        lines += [#"            COMPREPLY=($(compgen -W "\#(options(spec))" -- "$word"))"#, "        else"]
        lines += ["            " + (spec.operand.map { reply($0.value) } ?? ":"), "        fi", "        ;;"]
        return lines
    }

    private static func options(_ spec: CommandSpec) -> String {
        spec.options.map(\.spelling).joined(separator: " ")
    }

    private static func reply(_ value: ValueSpec) -> String {
        switch value.kind {
        case .text: ":"
        case .file: #"compopt -o filenames; local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$word"))"#
        case .folder: #"compopt -o filenames; local IFS=$'\n'; COMPREPLY=($(compgen -d -- "$word"))"#
        case .choice(let words): #"COMPREPLY=($(compgen -W "\#(words.joined(separator: " "))" -- "$word"))"#
        }
    }
}
