/// Numbers that look like chance and are the same for the same seed.
package struct SeededDice: Sendable {
    private var state: UInt64

    /// Starts a row of numbers.
    package init(_ seed: UInt64) {
        state = seed
    }

    /// A number from 0 up to, but not including, `limit`, which is at least 1.
    package mutating func below(_ limit: Int) -> Int {
        // splitmix64, by Sebastiano Vigna (public domain).
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        word ^= word >> 31
        return Int(word % UInt64(max(1, limit)))
    }
}
