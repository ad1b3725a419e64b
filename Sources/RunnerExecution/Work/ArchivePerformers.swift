import RunnerJob
import RunnerPlan
import RunnerStorage

/// Unpacks what an extract task names.
struct ExtractPerformer: Performer {
    let extraction: Extraction
    let site: JobSite
    let identity: String
    let words: FaultText

    func perform(_ control: WorkControl) -> WorkResult {
        let claims = TreeClaims(folder: site.folder, job: identity)
        let tree = TreeExtraction(extraction, directory: site.directory, identity: identity, claims: claims)
        do throws(ExtractionError) {
            let bytes = try tree.run(
                progress: { control.progress($0, of: $1) }, isCancelled: { control.isStopped })
            return WorkResult(.succeeded, bytes: bytes)
        } catch {
            if error == .cancelled { return WorkResult(.stopped) }
            return WorkResult(.failed(words.failure(error, of: extraction)))
        }
    }
}

/// Packs what an archive task names.
struct ArchivePerformer: Performer {
    let creation: ArchiveCreation
    let site: JobSite
    let identity: String
    let words: FaultText

    func perform(_ control: WorkControl) -> WorkResult {
        let packing = ArchivePacking(creation, directory: site.directory, identity: identity)
        do throws(PackingError) {
            let made = try packing.run(
                progress: { control.progress($0, of: $1) }, isCancelled: { control.isStopped },
                begun: { control.canBeAbandoned($0) })
            return WorkResult(.succeeded, bytes: made.file.size, digest: made.digest)
        } catch {
            if error == .cancelled { return WorkResult(.stopped) }
            return WorkResult(.failed(words.failure(error, of: creation)))
        }
    }
}
