import RunnerCLI
import Testing

/// When there are colours and bars.
@Suite struct TerminalTraitsTests {
    static let terminal = ["TERM": "xterm"]

    @Test func aTerminalHasBoth() {
        let traits = TerminalTraits(isTerminal: true, environment: Self.terminal)
        #expect(traits.usesColor)
        #expect(traits.progress == .live)
    }

    @Test(arguments: [
        (false, ["TERM": "xterm"]), (true, ["TERM": "dumb"]), (true, ["TERM": ""]), (true, [:]),
        (true, ["TERM": "xterm", "NO_COLOR": "1"]), (true, ["TERM": "xterm", "CI": "true"]),
    ])
    func elsewhereThereIsNeither(isTerminal: Bool, environment: [String: String]) {
        let traits = TerminalTraits(isTerminal: isTerminal, environment: environment)
        #expect(!traits.usesColor)
        #expect(traits.progress == .plain)
    }

    @Test func emptyVariablesDoNotCount() {
        let traits = TerminalTraits(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "", "CI": ""])
        #expect(traits.progress == .live)
    }

    @Test(arguments: ["false", "False"]) func aPipelineMayBeDenied(_ word: String) {
        #expect(TerminalTraits(isTerminal: true, environment: ["TERM": "xterm", "CI": word]).progress == .live)
    }

    @Test func optionsWin() {
        let always = TerminalTraits(isTerminal: false, environment: [:], color: .always, progress: .none)
        #expect(always.usesColor)
        #expect(always.progress == .none)
        let never = TerminalTraits(isTerminal: true, environment: Self.terminal, color: .never, progress: .plain)
        #expect(!never.usesColor)
        #expect(never.progress == .plain)
    }
}
