import RunnerJob
import RunnerTransfer
import Testing

@Suite struct RetryPolicyTests {
    static func policy(_ change: (inout RetrySettings) -> Void) -> RetryPolicy {
        var settings = RetrySettings()
        change(&settings)
        return RetryPolicy(settings)
    }

    @Test(
        arguments: [
            (.exponential, [1, 2, 4, 8, 16, 32, 60, 60]), (.linear, [1, 2, 3, 4, 5, 6, 7, 8]),
            (.constant, [1, 1, 1, 1, 1, 1, 1, 1]),
        ] as [(RetrySettings.Backoff, [Double])])
    func theWaitGrowsUpToItsLimit(_ backoff: RetrySettings.Backoff, seconds: [Double]) {
        let policy = Self.policy { $0.backoff = backoff }
        #expect((1...8).map { policy.ceiling(round: $0).seconds } == seconds)
    }

    @Test(arguments: [31, 32, 33, 63, 64, 65, 1024, 1_000_000, .max], RetrySettings.Backoff.allCases)
    func noRoundOverflows(_ round: Int, backoff: RetrySettings.Backoff) {
        let policy = Self.policy {
            $0.backoff = backoff
            $0.first = .milliseconds(1)
            $0.max = .milliseconds(2)
            $0.factor = 1000
        }
        #expect(policy.ceiling(round: round) == .milliseconds(backoff == .constant ? 1 : 2))
        for dice in [0, 0.5, 0.999_999] {
            let delay = policy.delay(round: round, dice: dice)
            #expect(delay >= .zero && delay <= .milliseconds(2))
        }
    }

    @Test(arguments: [Int.min, -1, 0])
    func aRoundBeforeTheFirstIsTheFirst(_ round: Int) {
        #expect(Self.policy { _ in }.ceiling(round: round) == .seconds(1))
    }

    @Test func absurdLimitsDoNotTrap() {
        let policy = Self.policy {
            $0.first = .seconds(Int64.max)
            $0.max = .seconds(Int64.max / 2)
            $0.factor = .infinity
        }
        #expect(policy.ceiling(round: 1_000_000) > .seconds(1 << 40))
        #expect(Self.policy { $0.factor = .nan }.ceiling(round: 5) == .seconds(60))
    }

    @Test(
        arguments: [
            (.none, 0.0, 8.0), (.none, 0.5, 8.0), (.equal, 0.0, 4.0), (.equal, 0.5, 6.0), (.full, 0.0, 0.0),
            (.full, 0.25, 2.0),
        ] as [(RetrySettings.Jitter, Double, Double)])
    func jitterStaysInItsBounds(_ jitter: RetrySettings.Jitter, dice: Double, seconds: Double) {
        let policy = Self.policy { $0.jitter = jitter }
        #expect(policy.delay(round: 4, dice: dice) == .seconds(seconds))
        #expect(policy.delay(round: 4, dice: 1.0.nextDown) <= .seconds(8))
    }

    /// The table of the error classes.
    static let transient: Set<FaultClass> = [
        .dns, .connect, .reset, .timeout, .stall, .truncated, .protocol, .rateLimited, .server,
    ]

    @Test(arguments: FaultClass.allCases)
    func onlyWhatPassesByItselfIsRetried(_ faultClass: FaultClass) {
        #expect(Self.policy { _ in }.retries(faultClass) == Self.transient.contains(faultClass))
    }

    @Test(arguments: FaultClass.allCases)
    func aListOfClassesReplacesTheTable(_ faultClass: FaultClass) {
        #expect(
            Self.policy { $0.on = [.notFound, .stall] }.retries(faultClass) == [.notFound, .stall].contains(faultClass))
        #expect(!Self.policy { $0.on = [] }.retries(faultClass))
    }
}
