import RunnerJob
import Testing

/// The section `hooks`.
@Suite struct HooksReaderTests {
    @Test func everyKeyIsRead() throws {
        let hooks = try JobText.parse(
            "version: 1\nvars: {who: me}\nhooks: {success: [a, 'b c', '${who}', ''], always: tool, timeout: 5s}\ntasks: []\n"
        ).hooks
        #expect(hooks.commands == [.success: ["a", "b c", "me", ""], .always: ["tool"]])
        #expect(hooks.timeout == .seconds(5))
        #expect(hooks.commands(afterSuccess: true).map(\.occasion) == [.success, .always])
        #expect(hooks.commands(afterSuccess: false).map(\.occasion) == [.always])
        #expect(try JobText.parse("version: 1\ntasks: []\n").hooks == HookSet())
    }

    @Test(arguments: [
        ("hooks: notify", "`hooks` wants a mapping"), ("hooks: {sucess: [a]}", "did you mean `success`?"),
        ("hooks: {success: []}", "`success` is empty"), ("hooks: {failure: notify me}", "such as [notify, me]"),
        ("hooks: {always: [[a]]}", "`always` wants a text, not a list"),
        ("hooks: {timeout: 0s}", "`timeout` must be longer than zero"),
    ])
    func faultsAreToldWithTheirPlace(_ text: String, _ message: String) {
        let messages = JobText.faults("version: 1\n\(text)\ntasks: []\n")
        #expect(messages.contains { $0.contains(message) }, "\(messages)")
    }
}
