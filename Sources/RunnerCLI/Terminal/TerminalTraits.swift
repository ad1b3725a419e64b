package import RunnerReport

/// How a stream may be written to: what options, environment and the stream itself say together.
package struct TerminalTraits: Hashable, Sendable {
    /// Words of `--color`.
    package enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }
    /// Words of `--progress`.
    package enum ProgressChoice: String, CaseIterable, Sendable { case auto, plain, none }

    /// How a run is shown while it goes on.
    package enum Progress: Hashable, Sendable {
        /// Lines redrawn in place.
        case live
        /// A quiet line now and then.
        case plain
        /// Failures and warnings alone.
        case none
    }

    package var usesColor: Bool
    package var progress: Progress

    /// Decides for a stream.
    ///
    /// `NO_COLOR` counts when set and not empty (no-color.org); `CI` likewise, since a log keeps every redrawn line,
    /// unless it says `false`, as people set it who try a pipeline's step by hand.
    package init(
        isTerminal: Bool, environment: [String: String], color: ColorChoice = .auto, progress: ProgressChoice = .auto
    ) {
        let isCI = !["", "false"].contains(environment["CI"]?.lowercased() ?? "")
        let isSilenced = isCI || environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let isLively = isTerminal && !isSilenced && environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false
        usesColor =
            switch color {
            case .auto: isLively
            case .always: true
            case .never: false
            }
        self.progress =
            switch progress {
            case .auto: isLively ? .live : .plain
            case .plain: .plain
            case .none: .none
            }
    }

    /// The marks for text on the stream.
    package var style: Style { usesColor ? .ansi : .plain }
}
