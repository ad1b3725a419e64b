import Testing

@testable import RunnerJob

@Suite struct QuantityTests {
    @Test(arguments: [
        ("0", 0), ("512", 512), ("512B", 512), ("1kB", 1000), ("10MB", 10_000_000), ("10 MB", 10_000_000),
        ("2gb", 2_000_000_000),
        ("3TB", 3_000_000_000_000), ("64KiB", 65_536), ("1MiB", 1_048_576), ("2GiB", 2_147_483_648),
        ("1TiB", 1_099_511_627_776),
        ("9223372036854775807", Int64.max), ("007", 7),
    ])
    func readsSizes(text: String, bytes: Int64) throws {
        #expect(try SizeText.parse(text) == bytes)
    }

    /// What is written is read again as the same number.
    @Test(arguments: [
        (Int64(1), "1"), (999, "999"), (1000, "1kB"), (1024, "1KiB"), (1500, "1500"), (500_000, "500kB"),
        (1_048_576, "1MiB"), (2_097_152, "2MiB"), (10_000_000, "10MB"), (3 << 30, "3GiB"), (1 << 40, "1TiB"),
        (Int64.max, "9223372036854775807"),
    ])
    func writesSizes(bytes: Int64, text: String) throws {
        #expect(SizeText.exact(bytes) == text)
        #expect(try SizeText.parse(text) == bytes)
    }

    @Test(arguments: [
        ("MB", QuantityFault.noNumber), ("-1", .noNumber), ("+1", .noNumber), (" 1", .noNumber), ("٣", .noNumber),
        ("1.5GiB", .fraction), ("1,5GB", .fraction), ("9223372036854775808", .tooLarge),
        ("9007199254740992KiB", .tooLarge),
        ("10M", .unknownUnit("M", known: "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB")),
        ("1e3", .unknownUnit("e3", known: "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB")),
        ("1_000", .unknownUnit("_000", known: "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB")),
        ("1MB2", .unknownUnit("MB2", known: "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB")),
    ])
    func refusesWhatIsNoSize(text: String, fault: QuantityFault) {
        #expect(throws: fault) { try SizeText.parse(text) }
    }

    @Test(arguments: [
        ("300ms", Duration.milliseconds(300)), ("1s", .seconds(1)), ("90s", .seconds(90)), ("10m", .seconds(600)),
        ("1h30m", .seconds(5400)), ("2d", .seconds(172_800)), ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("0s", .zero),
        ("36600d", .seconds(3_162_240_000)),
    ])
    func readsDurations(text: String, duration: Duration) throws {
        #expect(try DurationText.parse(text) == duration)
    }

    @Test(arguments: [
        ("30", QuantityFault.noUnit(example: "30s or 30m")), ("1h30", .noUnit(example: "30s or 30m")), ("s", .noNumber),
        ("-1s", .noNumber), ("1.5s", .fraction), ("1:30", .unknownUnit(":", known: "ms, s, m, h, d")),
        ("1 s", .unknownUnit(" s", known: "ms, s, m, h, d")), ("1S", .unknownUnit("S", known: "ms, s, m, h, d")),
        ("30m1h", .unitOrder), ("1s1s", .unitOrder), ("36601d", .tooLarge), ("9223372036854775807d", .tooLarge),
        ("99999999999999999999s", .tooLarge), (".inf", .noNumber),
    ])
    func refusesWhatIsNoDuration(text: String, fault: QuantityFault) {
        #expect(throws: fault) { try DurationText.parse(text) }
    }
}
