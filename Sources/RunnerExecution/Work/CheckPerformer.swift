import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// Compares a file with what a check task says of it.
struct CheckPerformer: Performer {
    let check: FileCheck
    let directory: JobDirectory
    let lists: ChecksumLists
    let words: FaultText

    func perform(_ control: WorkControl) -> WorkResult {
        do throws(StorageError) {
            guard let file = try directory.openPresent(check.path) else {
                return WorkResult(.failed(words.noFile(check.path, at: directory.state(of: check.path)?.kind)))
            }
            var verification = Verification(
                size: check.size, digests: check.digests, expectations: check.expect, name: check.path.name)
            if let list = check.checksumList {
                switch try lists.digests(of: check.path, in: list) {
                case .success(let digests): verification.digests += digests
                case .failure(let error): return WorkResult(.failed(words.failure(error, list: list.path.text)))
                }
            }
            return try compare(file, verification, control)
        } catch {
            return WorkResult(.failed(words.failure(error)))
        }
    }

    private func compare(
        _ file: PresentFile, _ verification: Verification, _ control: WorkControl
    ) throws(StorageError) -> WorkResult {
        control.progress(0, of: file.length)
        var digests: [DigestAlgorithm: Digest] = [:]
        if !verification.algorithms.isEmpty {
            var chunks: Int64 = -1
            let computed = try FileHasher.digests(of: file, by: verification.algorithms) {
                chunks += 1
                control.progress(min(file.length, chunks << 20))
                return control.isStopped
            }
            guard let computed else { return WorkResult(.stopped) }
            digests = computed
        }
        if let fault = try verification.fault(in: file, actual: digests) {
            return WorkResult(.failed(words.failure(fault, of: check.path)))
        }
        return WorkResult(
            .succeeded, digest: verification.digests.first { !$0.algorithm.isWeak } ?? verification.digests.first)
    }
}
