/// Which bytes of a file are there: ranges in ascending order that neither touch nor overlap.
package struct ByteRanges: Hashable, Sendable {
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    package init(_ ranges: some Sequence<Range<Int64>>) {
        for range in ranges { insert(range) }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// Bytes in all ranges together.
    package var count: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    /// Bytes from the beginning of the file without a gap.
    package var prefix: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// Adds a range; what touches it becomes one with it.
    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        if let last = ranges.last, last.upperBound == range.lowerBound {
            // What nearly every call is: the next bytes of a single stream.
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            return
        }
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        var end = first
        var merged = range
        while end < ranges.count, ranges[end].lowerBound <= range.upperBound {
            merged = min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(merged))
    }

    /// Takes away everything from a byte on.
    package mutating func cut(at end: Int64) {
        ranges = ranges.compactMap { range in
            let upper = min(range.upperBound, end)
            return range.lowerBound < upper ? range.lowerBound..<upper : nil
        }
    }

    /// The first byte from `start` on that is missing.
    package func firstMissing(from start: Int64) -> Int64 {
        ranges.first { $0.contains(start) }?.upperBound ?? start
    }

    /// The first byte behind `start` that is there; nil when none is.
    package func firstPresent(after start: Int64) -> Int64? {
        ranges.first { $0.lowerBound > start }?.lowerBound
    }
}
