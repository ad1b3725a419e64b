/// The shells for which a completion script can be made.
package enum ShellCompletion: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script, to be sourced or put where the shell looks for it.
    package func script(_ commands: [CommandSpec]) -> [String] {
        let shown = commands.filter { !$0.isHidden }
        return switch self {
        case .bash: BashCompletion.script(shown)
        case .zsh: ZshCompletion.script(shown)
        case .fish: FishCompletion.script(shown)
        }
    }
}

extension String {
    /// The text in single quotes, as POSIX shells read it.
    var shellQuoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
