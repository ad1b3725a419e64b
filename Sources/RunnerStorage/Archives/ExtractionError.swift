package import RunnerJob

/// Why an archive was not unpacked; words are made of it elsewhere.
///
/// Names of entries are as the archive has them, with what cannot be shown replaced.
package enum ExtractionError: Error, Hashable, Sendable {
    /// The content is in no known format; `text` is libarchive's own.
    case notAnArchive(text: String)
    /// The file ends in the suffix of a compressed file, and is none.
    case notCompressed(suffix: String)
    /// The archive, or the entry where that is known, cannot be read; `text` is the library's own.
    case damaged(entry: String?, text: String)
    /// The archive, or the entry, is packed in a way that libarchive has no means against; `text` is its own.
    case notSupported(entry: String?, text: String)
    /// The file holds more, or less, than the archive says.
    case wrongSize(entry: String, said: Int64)
    /// The entry lies where another one lies, which no honest archive does.
    case overlaps(entry: String)
    /// The entry needs a password, and there is none, or it is the wrong one.
    case passwordMissing(entry: String)
    case passwordWrong(entry: String)
    /// It is encrypted in a way that libarchive has no means against, or all of the archive is.
    case notDecrypted(entry: String?)
    case unsafe(Danger, entry: String)
    /// The archive has so many files, and patterns and `strip` leave nothing of it.
    case nothingLeft(of: Int64)
    /// A ceiling of the task's was reached.
    case tooMuch(Ceiling)
    /// A folder, a file or a link that is in the way.
    case target(Obstacle, path: String)
    case storage(StorageError)
    /// Stopped on demand.
    case cancelled

    /// Why an entry must not be unpacked.
    package enum Danger: Hashable, Sendable {
        /// It has no name.
        case noName
        case absoluteName
        /// Its name has the part `..`.
        case climbs
        /// A part of its name is too long for a file system, or all of it for the system.
        case longName(limit: Int)
        /// A device, a pipe or a socket.
        case special
        /// A link to `target`, which lies outside of the folder.
        case linkLeadsOut(target: String)
        /// A link that leads to itself.
        case linkInCircle(target: String)
        /// Another name for `target`, which is no file of the archive that was unpacked before.
        case linkToNothing(target: String)
        /// Its name leads through `other`, which is no folder, or it is a folder where `other` is none.
        case clashes(other: String)
        /// On this file system its name is that of another entry, which it would overwrite.
        case sameName
    }

    package enum Ceiling: Hashable, Sendable {
        case entries(Int64)
        case bytes(Int64)
        case ratio(Int64)
    }

    package enum Obstacle: Hashable, Sendable {
        /// A folder that this task did not make.
        case notOurs
        case noFolder
        /// A file where the archive has a folder, or the other way round.
        case clash
    }
}

extension ExtractionError {
    /// The class that decides what becomes of the task and of the run.
    package var faultClass: FaultClass {
        switch self {
        case .storage(let error): error.faultClass
        case .target: .disk
        case .tooMuch: .tooLarge
        case .notAnArchive, .notCompressed, .damaged, .notSupported, .wrongSize, .overlaps, .passwordMissing,
            .passwordWrong, .notDecrypted, .unsafe, .nothingLeft, .cancelled:
            .archive
        }
    }
}
