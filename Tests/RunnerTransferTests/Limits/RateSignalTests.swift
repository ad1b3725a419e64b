import Testing

@testable import RunnerTransfer

@Suite struct RateSignalTests {
    private static let now: Int64 = 1_700_000_000

    private func signal(_ lines: String) -> RateSignal? {
        let fields = lines.split(separator: "\n").map { line in
            let halves = line.split(separator: ":", maxSplits: 1)
            return ReplyHead.Field(
                name: halves[0].lowercased(), value: String(halves[1].drop { $0 == " " }))
        }
        return RateSignal(fields, now: Self.now)
    }

    @Test(
        arguments: [
            ("RateLimit: \"default\";r=50;t=30", 50, 30, nil),
            ("RateLimit: default;r=50;t=30", 50, 30, nil),
            ("RateLimit: \"a;b,c\" ; r=5 ; t=7", 5, 7, nil),
            ("RateLimit-Policy: \"default\";q=100;w=60\nRateLimit: \"default\";r=5;t=30", 5, 30, 100),
            ("RateLimit-Policy: \"default\";q=100;w=60\nRateLimit: \"default\";r=5", 5, 60, 100),
            ("RateLimit: \"hour\";r=900;t=3600, \"second\";r=0;t=1", 900, 3600, nil),
            ("RateLimit: limit=100, remaining=50, reset=30", 50, 30, 100),
            ("RateLimit-Limit: 100, 100;w=60\nRateLimit-Remaining: 50\nRateLimit-Reset: 30", 50, 30, 100),
            ("X-RateLimit-Limit: 60\nX-RateLimit-Remaining: 3\nX-RateLimit-Reset: 12", 3, 12, 60),
            ("X-RateLimit-Remaining: 3\nX-RateLimit-Reset: 1700000090", 3, 90, nil),
            ("X-RateLimit-Remaining: 3\nX-RateLimit-Reset: 1700000090000", 3, 90, nil),
            ("X-RateLimit-Remaining: 3\nX-RateLimit-Reset: 1699999000", 3, 0, nil),
            ("X-Rate-Limit-Remaining: 1\nX-Rate-Limit-Reset: 2.5", 1, 2, nil),
        ] as [(String, Int64, Int, Int64?)])
    func readsEveryForm(lines: String, remaining: Int64, reset: Int, quota: Int64?) {
        #expect(signal(lines) == RateSignal(remaining: remaining, reset: .seconds(reset), quota: quota))
    }

    @Test(arguments: [
        "RateLimit: ", "RateLimit: \"default\";r=x;t=1", "RateLimit: \"default\";t=5", "RateLimit: r",
        "RateLimit: \"default\";r=1;t=99999999999999999999", "X-RateLimit-Remaining: 3", "X-RateLimit-Reset: 3",
        "X-RateLimit-Remaining: -1\nX-RateLimit-Reset: 3", "X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1999999999",
    ])
    func takesNoNonsense(lines: String) {
        #expect(signal(lines) == nil)
    }

    @Test(arguments: [
        ("ratelimit", true), ("ratelimit-policy", true), ("x-ratelimit-reset", true), ("x-rate-limit-limit", true),
        ("x-rate", false), ("retry-after", false),
    ])
    func knowsItsFields(name: String, isSignal: Bool) {
        #expect(RateSignal.isSignal(name) == isSignal)
    }
}
