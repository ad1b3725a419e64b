/// The known word that a misspelt one was probably meant to be.
public enum Suggestion {
    /// The candidate that is nearest to a word, or nil when none is near enough to be worth naming.
    ///
    /// Near means: equal but for case, or at most a third of the word's length away in edits, where swapping two
    /// neighbours is one edit. A single character is near only to itself: one edit makes it any other. Of equally near
    /// candidates the earlier one is taken.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(word.utf8)
        let folded = wanted.map(lowercased)
        var best: (word: String, distance: Int)?
        let farthest = wanted.count < 2 ? 0 : max(1, wanted.count / 3)
        for candidate in candidates {
            let limit = min(farthest, (best?.distance ?? .max) - 1)
            guard limit >= 0, abs(candidate.utf8.count - wanted.count) <= limit else { continue }
            let distance = editDistance(folded, candidate.utf8.map(lowercased), limit: limit)
            if distance <= limit { best = (candidate, distance) }
            if best?.distance == 0 { break }
        }
        return best?.word
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Optimal string alignment distance; any number above `limit` means only "more than that".
    private static func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for i in left.indices {
            var current = [i + 1]
            current.reserveCapacity(right.count + 1)
            for j in right.indices {
                var distance = min(
                    previous[j + 1] + 1, current[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    distance = min(distance, beforePrevious[j - 1] + 1)
                }
                current.append(distance)
            }
            if current.allSatisfy({ $0 > limit }) { return limit + 1 }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
