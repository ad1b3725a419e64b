internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import RunnerJob

/// Which folders a job's tasks have made, so that they may be replaced as a whole.
///
/// Lies in `trees/` of the state folder. It is written before a folder is put in place, so that a kill right after that
/// leaves no folder that nobody owns.
package struct TreeClaims: Sendable {
    private let folder: StateFolder
    private let job: String

    private struct Claim: Codable {
        static let schema = "runner.tree/1"

        var schema = Self.schema
        /// The folder, as in the job.
        var path: String
        /// Folders that may lie there: the one before, and the one that was put in its place.
        var folders: [FolderIdentity]
    }

    /// What tells a folder from any other, wherever it is moved to.
    ///
    /// The number alone may be given to a later folder.
    struct FolderIdentity: Codable, Equatable {
        var inode: UInt64
        /// Nanoseconds since 1970; 0 where the file system does not keep it.
        var born: Int64

        /// Of an open folder.
        init?(of folder: Int32) {
            var status = stat()
            guard fstat(folder, &status) == 0 else { return nil }
            inode = UInt64(status.st_ino)
            born = runner_birth_time(folder)
        }
    }

    /// - Parameter job: the job's identity.
    package init(folder: StateFolder, job: String) {
        self.folder = folder
        self.job = job
    }

    /// Whether the job has made the folder that lies at a path.
    func isOurs(_ identity: FolderIdentity, at path: TargetPath) -> Bool {
        guard let name = try? name(path), let bytes = folder.read(name),
            let claim = try? JSONDecoder().decode(Claim.self, from: Data(bytes)), claim.schema == Claim.schema
        else { return false }
        return claim.folders.contains(identity)
    }

    /// Notes that these folders may lie at a path, and that the job has made them.
    func claim(_ identities: [FolderIdentity], at path: TargetPath) throws(StorageError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Claim(path: path.text, folders: identities)) else { return }
        try folder.replace(try name(path), with: Array(data) + [0x0A])
    }

    private func name(_ path: TargetPath) throws(StorageError) -> String {
        let digest = try DigestSet.digest(of: Array("\(job)\u{0}\(path.text)".utf8), by: .sha256)
        return "trees/\(digest.hex.prefix(24)).json"
    }
}
