import RunnerJob
import Testing

/// The section `clean`.
@Suite struct CleanTests {
    @Test func everyKeyIsRead() throws {
        let job = try JobText.parse(
            "version: 1\nclean: {older_than: 30d, max_size: 10GiB, keep: [\"*.sig\", pool/**]}\ntasks: []\n")
        #expect(
            job.clean
                == CleanSection(
                    olderThan: .seconds(30 * 86_400), maxSize: 10 << 30, keep: ["*.sig", "pool/**"]))
        #expect(try JobText.parse("version: 1\nclean: {keep: one}\ntasks: []\n").clean.keep == ["one"])
        #expect(try JobText.parse("version: 1\ntasks: []\n").clean == CleanSection())
    }

    @Test(arguments: [
        ("clean: 30d", "`clean` wants a mapping, such as `clean: {older_than: 30d}`"),
        ("clean: {older: 30d}", "unknown key `older` in `clean`"),
        ("clean: {older_than: 30}", "`older_than` wants a duration, such as 30s or 1h30m"),
        ("clean: {older_than: 0s}", "`older_than` must be longer than zero"),
        ("clean: {max_size: much}", "`max_size` wants a size"), ("clean: {keep: [\"\"]}", "`keep` must not be empty"),
    ])
    func faultsAreToldWithTheirPlace(_ text: String, _ message: String) throws {
        let messages = JobText.faults("version: 1\n\(text)\ntasks: []\n")
        #expect(messages.contains { $0.contains(message) }, "\(messages)")
    }
}
