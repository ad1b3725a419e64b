internal import RunnerReport

/// The options that say what is told on standard error.
package struct MessageArguments: Hashable, Sendable {
    package var verbosity = Verbosity.normal
    package var color = TerminalTraits.ColorChoice.auto
    package var progress = TerminalTraits.ProgressChoice.auto

    /// The options as a command's table lists them.
    static let options: [OptionSpec] = [.quiet, .verbose, .color, .progress]

    package init() {}

    init(_ arguments: ParsedArguments) throws(UsageError) {
        switch (arguments.has(.quiet), arguments.has(.verbose)) {
        case (true, true): throw .conflict(OptionSpec.quiet.spelling, OptionSpec.verbose.spelling)
        case (true, false): verbosity = .quiet
        case (false, true): verbosity = .verbose
        case (false, false): verbosity = .normal
        }
        color = arguments.word(.color, as: TerminalTraits.ColorChoice.self) ?? .auto
        progress = arguments.word(.progress, as: TerminalTraits.ProgressChoice.self) ?? .auto
    }

    /// How messages are shown in a context.
    func traits(in context: Context) -> TerminalTraits {
        TerminalTraits(
            isTerminal: context.console.errors.isTerminal, environment: context.environment, color: color,
            progress: verbosity == .quiet ? .none : progress)
    }

    /// The marks for text on standard output.
    func dataStyle(in context: Context) -> Style {
        TerminalTraits(
            isTerminal: context.console.output.isTerminal, environment: context.environment, color: color
        ).style
    }
}

/// How much is told.
package enum Verbosity: Hashable, Sendable {
    /// Errors alone.
    case quiet
    case normal
    /// Every task and every attempt.
    case verbose
}
