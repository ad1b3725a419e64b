internal import RunnerJob
internal import RunnerPlan

/// Decides which of a job's downloads are removed; pure.
package enum CleanDecision {
    /// A file that the ledger says the job has put in place, as it is now.
    package struct Candidate: Sendable {
        package var file: OwnedFile
        /// Bytes that it takes on the disk.
        package var allocated: Int64
        /// Whether the job names it now.
        package var isWanted: Bool
        /// Whether it is as it was put in place.
        package var isUnchanged: Bool

        package init(_ file: OwnedFile, allocated: Int64, isWanted: Bool = false, isUnchanged: Bool = true) {
            self.file = file
            self.allocated = allocated
            self.isWanted = isWanted
            self.isUnchanged = isUnchanged
        }
    }

    /// First those that are too old, then the oldest until the rest is under the ceiling.
    ///
    /// What is kept, wanted or changed counts towards the ceiling, and stays.
    /// - Parameters:
    ///   - candidates: in any order; only files that are there.
    ///   - now: seconds since 1970.
    package static func downloads(_ candidates: [Candidate], rules: CleanRules, now: Int64) -> [CleanItem] {
        var items: [CleanItem] = []
        var left: [Candidate] = []
        var total: Int64 = 0
        for candidate in candidates.sorted(by: isOlder) {
            let age = Duration.seconds(
                max(0, now.subtractingReportingOverflow(candidate.file.record.published).partialValue))
            if let limit = rules.olderThan, age > limit, mayGo(candidate, rules) {
                items.append(item(candidate, .tooOld(age: age, limit: limit)))
            } else {
                total = sum(total, candidate.allocated)
                left.append(candidate)
            }
        }
        guard let ceiling = rules.maxSize else { return items }
        for candidate in left where total > ceiling && mayGo(candidate, rules) {
            items.append(item(candidate, .overCeiling(bytes: total, ceiling: ceiling)))
            total -= max(0, candidate.allocated)
        }
        return items
    }

    private static func mayGo(_ candidate: Candidate, _ rules: CleanRules) -> Bool {
        !candidate.isWanted && candidate.isUnchanged
            && !rules.keep.contains { $0.matches(candidate.file.path.text) }
    }

    private static func item(_ candidate: Candidate, _ reason: CleanItem.Reason) -> CleanItem {
        CleanItem(
            .download(candidate.file), path: candidate.file.path.text, bytes: candidate.allocated, reason)
    }

    private static func isOlder(_ one: Candidate, _ other: Candidate) -> Bool {
        one.file.record.published == other.file.record.published
            ? one.file.path.path < other.file.path.path
            : one.file.record.published < other.file.record.published
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(max(0, other))
        return overflow ? .max : sum
    }

    /// Of the reports of a job 30 runs or 90 days are kept, whichever is less, and always the last one.
    ///
    /// - Parameters:
    ///   - runs: of one job, the last one first.
    ///   - now: milliseconds since 1970.
    package static func runs(_ runs: [RunRow], now: Int64) -> [(run: RunRow, reason: CleanItem.Reason)] {
        runs.enumerated().dropFirst().compactMap { index, run in
            let age = Duration.milliseconds(max(0, now.subtractingReportingOverflow(run.started).partialValue))
            if age > reportAge { return (run, .tooOld(age: age, limit: reportAge)) }
            return index >= reportCount ? (run, .tooMany(kept: reportCount)) : nil
        }
    }

    package static let reportCount = 30
    package static let reportAge = Duration.seconds(90 * 86_400)
}
