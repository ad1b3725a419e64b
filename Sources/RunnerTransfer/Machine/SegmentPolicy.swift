package import RunnerJob

/// Whether one more connection for a file would help; pure.
package struct SegmentPolicy: Sendable {
    /// Bytes that are worth a connection of their own.
    package static let smallestPiece: Int64 = 512 << 10
    /// `auto` never has more than this for one file.
    static let mostAutomatic = 16
    /// Time that a new connection has to show what it is worth.
    private static let trial = Duration.milliseconds(500)
    /// What takes less than this is not worth another connection.
    private static let worthwhile = 1.5
    /// Growth of the rate by which a connection earns another one.
    private static let gain = 1.15

    private let wish: Download.Segments
    /// Time and bytes when the present set of connections began its trial.
    private var trialBegan: (time: Duration, bytes: Int64)?
    /// Bytes a second of the set before.
    private var earlierRate = 0.0
    /// Rate of the present set, when it has earned another connection.
    private var presentRate = 0.0
    private var isSettled = false

    package init(_ wish: Download.Segments) {
        self.wish = wish
    }

    /// - Parameters:
    ///   - connections: for this file, the main one included.
    ///   - have: bytes that are there.
    ///   - missing: bytes that are not; the largest piece of it that one connection has before it is `largest`.
    package mutating func wantsMore(
        connections: Int, have: Int64, missing: Int64, largest: Int64, at now: Duration
    ) -> Bool {
        guard largest >= 2 * Self.smallestPiece else { return false }
        switch wish {
        case .single: return false
        case .fixed(let count): return connections < count
        case .auto: return connections < Self.mostAutomatic && hasEarnedMore(have, missing, now)
        }
    }

    private mutating func hasEarnedMore(_ have: Int64, _ missing: Int64, _ now: Duration) -> Bool {
        guard !isSettled else { return false }
        guard let began = trialBegan, have >= began.bytes else {
            trialBegan = (now, have)
            return false
        }
        guard now - began.time >= Self.trial else { return false }
        let rate = Double(have - began.bytes) / (now - began.time).seconds
        trialBegan = (now, have)
        if earlierRate > 0, rate < earlierRate * Self.gain {
            // The last connection brought nothing: the link is full, or the server shares it out.
            isSettled = true
            return false
        }
        guard rate > 0, Double(missing) / rate > Self.worthwhile else { return false }
        presentRate = rate
        return true
    }

    /// The connection that was wanted is there; until then a set is not compared with itself.
    package mutating func began() {
        earlierRate = presentRate
    }
}
