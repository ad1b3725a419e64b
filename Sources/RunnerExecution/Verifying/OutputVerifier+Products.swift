internal import RunnerJob
internal import RunnerPlan
internal import RunnerStorage

/// What is no download: files and folders that tasks made, as the ledger saw them when they were done.
extension OutputVerifier {
    func check(_ planned: PlannedTask, _ output: PathOutput) -> OutputCheck {
        var check = OutputCheck(
            task: planned.task.id, path: output.path.text, place: planned.task.place,
            isOptional: planned.task.isOptional, status: .unverified)
        let now = directory.treeStamp(of: output.path)
        if now.isMissing {
            check.status = .missing
            return check
        }
        let record = planned.product?.outputs.first { $0.path == output.path }
        do throws(StorageError) {
            if let file = try directory.openPresent(output.path) {
                check.bytes = file.length
                let digests = record.flatMap { try? Digest.parse($0.digests.text) } ?? []
                if !digests.isEmpty { return try compare(file, digests, &check) }
            }
        } catch {
            check.status = .unreadable
            check.message = words.failure(error).message
            return check
        }
        guard let record else { return check }
        check.witnesses = [.ledger]
        check.status = record.stamp == now ? .ok : .changed
        return check
    }

    /// Compares a file whose digest was taken when it was made.
    private func compare(
        _ file: PresentFile, _ digests: [Digest], _ check: inout OutputCheck
    ) throws(StorageError) -> OutputCheck {
        let verification = Verification(digests: digests)
        let actual = try FileHasher.digests(of: file, by: verification.algorithms) ?? [:]
        check.witnesses = [.ledger]
        check.digest = digests.first.flatMap { actual[$0.algorithm] }
        set(try verification.fault(in: file, actual: actual)?.failures ?? [], of: &check)
        return check
    }
}
