import RunnerJob
import RunnerPlan
import RunnerStorage

extension PartWriter {
    /// The path that the server's name makes.
    func path(_ naming: Naming, _ name: String?) throws(StorageError) -> TargetPath {
        guard let name else { throw .noName(folder: naming.name.folder) }
        do throws(PathFault) {
            return try naming.name.path(named: name)
        } catch {
            throw .badName(name)
        }
    }

    /// Refuses to write over what is not this task's.
    func checkPlace(
        _ path: TargetPath, _ naming: Naming, _ part: PartFile, _ digests: [DigestAlgorithm: Digest]
    ) throws(StorageError) {
        guard naming.claims.claim(path, for: naming.task) else { throw .nameOfOtherTask(path: path.text) }
        guard let there = directory.state(of: path) else { return }
        switch (there.kind, naming.exists) {
        case (.folder, _): throw .destinationIsFolder(path: path.text)
        case (.other, _): throw .destinationIsSpecial(path: path.text)
        case (_, .fail): throw .nameTaken(path: path.text)
        case (_, .replace): return
        case (_, .verify), (_, .keep):
            if path == naming.name.known { return }
            if try holdsTheSame(there, path, part, digests) { return }
            throw .nameTaken(path: path.text)
        }
    }

    /// Whether a file that is there has the bytes of the part already, as after the ledger was lost.
    private func holdsTheSame(
        _ there: FileState, _ path: TargetPath, _ part: PartFile, _ digests: [DigestAlgorithm: Digest]
    ) throws(StorageError) -> Bool {
        guard there.kind == .file, there.size == part.length, let file = try directory.openPresent(path) else {
            return false
        }
        let algorithm = DigestAlgorithm.sha256
        var own = digests[algorithm]
        if own == nil { own = try FileHasher.digests(of: part, by: [algorithm])?[algorithm] }
        let other = try FileHasher.digests(of: file, by: [algorithm])?[algorithm]
        return own != nil && own == other
    }
}
