import RunnerJob
import RunnerStorage

/// Failures of tasks about archives in words.
extension FaultText {
    func failure(_ error: ExtractionError, of extraction: Extraction) -> TaskFailure {
        if case .storage(let error) = error { return failure(error) }
        return TaskFailure(
            error.faultClass, message: redactor.text(ArchiveText.sentence(error, extraction.archive.text)),
            advice: ArchiveText.advice(error).map(redactor.text))
    }

    func failure(_ error: PackingError, of creation: ArchiveCreation) -> TaskFailure {
        if case .storage(let error) = error { return failure(error) }
        return TaskFailure(
            error.faultClass, message: redactor.text(ArchiveText.sentence(error, creation.target.text)),
            advice: ArchiveText.advice(error).map(redactor.text))
    }
}

/// What is wrong with an archive, in words.
enum ArchiveText {
    static func sentence(_ error: ExtractionError, _ archive: String) -> String {
        switch error {
        case .notAnArchive(let text): "\(archive) is no archive of a known format (\(text.lowercasedFirstLetter))"
        case .notCompressed(let suffix): "\(archive) ends in .\(suffix), but is not compressed so"
        case .damaged(let entry, let text):
            "\(archive) is damaged" + (entry.map { " at \(quoted($0))" } ?? "") + ": \(text.lowercasedFirstLetter)"
        case .notSupported(let entry, let text):
            "\(archive) is packed" + (entry.map { " at \(quoted($0))" } ?? "")
                + " in a way that libarchive does not know: \(text.lowercasedFirstLetter)"
        case .wrongSize(let entry, let said):
            "\(archive) is damaged at \(quoted(entry)): it has not the \(said) bytes that the archive says"
        case .overlaps(let entry): "\(archive): \(quoted(entry)) lies in the same place as another entry"
        case .passwordMissing(let entry): "\(archive): \(quoted(entry)) is encrypted"
        case .passwordWrong(let entry): "\(archive): the password does not open \(quoted(entry))"
        case .notDecrypted(let entry?):
            "\(archive): \(quoted(entry)) is encrypted, and libarchive decrypts zip archives only"
        case .notDecrypted(nil):
            "\(archive) is encrypted, its list of files too, and libarchive decrypts zip archives only"
        case .unsafe(let danger, let entry): "\(archive): \(quoted(entry)) \(words(danger))"
        case .nothingLeft(let count):
            "`include`, `exclude` and `strip` leave nothing of \(archive), which holds \(count) \(count == 1 ? "file" : "files")"
        case .tooMuch(let ceiling): "\(archive) \(words(ceiling))"
        case .target(.notOurs, let path): "\(path) is there already, and was not made by this task"
        case .target(.noFolder, let path): "\(path) is there already, and is no folder"
        case .target(.clash, let path): "\(path) is a folder in one and none in the other, archive or target"
        case .storage(let error): StorageText.sentence(error)
        case .cancelled: "\(archive) was not unpacked, since the run was stopped"
        }
    }

    static func advice(_ error: ExtractionError) -> String? {
        switch error {
        case .notAnArchive, .notCompressed: "look at the file: it may be a page in place of the archive"
        case .damaged, .wrongSize: "get the archive anew, and give its digest in the job, so that damage is seen early"
        case .notSupported:
            "unpack it in a `run` task by a program that can, such as 7z; if none can, get the archive anew"
        case .passwordMissing: "give the password, such as password: ${secret:NAME}"
        case .passwordWrong: "correct `password`; the archive may also be damaged"
        case .notDecrypted: "unpack it in a `run` task by a program that can, such as 7z, or have it made as zip"
        case .overlaps: "do not trust the archive"
        case .unsafe(let danger, _): advice(danger)
        case .nothingLeft: "compare them with the names in the archive, such as bsdtar -tf shows; `strip` comes last"
        case .tooMuch(let ceiling): "if the archive is to be trusted, raise limits: {\(key(ceiling)): …} of the task"
        case .target(.notOurs, _): "write exists: replace or exists: merge, or another `to`"
        case .target(.noFolder, _): "move it away, or write another `to`"
        case .target(.clash, _): "write another `to`, or exists: replace"
        case .storage(let error): StorageText.advice(error)
        case .cancelled: nil
        }
    }

    private static func words(_ danger: ExtractionError.Danger) -> String {
        switch danger {
        case .noName: "has no name"
        case .absoluteName: "has an absolute name, which would leave the folder"
        case .climbs: "has a `..` in its name, which could leave the folder"
        case .longName(let limit): "has a name, or a part of one, of more than \(limit) bytes"
        case .special: "is a device, a pipe or a socket"
        case .linkLeadsOut(let target): "is a link to \(quoted(target)), out of the folder"
        case .linkInCircle(let target): "is a link to \(quoted(target)), which leads in a circle"
        case .linkToNothing(let target): "is another name for \(quoted(target)), which is no file before it"
        case .clashes(let other): "clashes with \(quoted(other)), which is a folder for one and none for the other"
        case .sameName: "has the name of another entry on this file system, such as in other letter case"
        }
    }

    private static func advice(_ danger: ExtractionError.Danger) -> String {
        switch danger {
        case .sameName: "leave one of them out by `exclude`, or use a file system that tells them apart"
        case .longName: "leave it out by `exclude`, or shorten its path by `strip`"
        case .linkToNothing: "let `include` and `exclude` keep both names or neither; else the archive is damaged"
        default: "do not trust the archive; what is not wanted of it can be left out by `exclude`"
        }
    }

    private static func words(_ ceiling: ExtractionError.Ceiling) -> String {
        switch ceiling {
        case .entries(let most): "has more than \(most) entries"
        case .bytes(let most): "unpacks to more than \(most) bytes"
        case .ratio(let most): "unpacks to more than \(most) times its size"
        }
    }

    private static func key(_ ceiling: ExtractionError.Ceiling) -> String {
        switch ceiling {
        case .entries: "entries"
        case .bytes: "bytes"
        case .ratio: "ratio"
        }
    }

    static func sentence(_ error: PackingError, _ archive: String) -> String {
        switch error {
        case .special(let path): "\(path) is a device, a pipe or a socket, which is not packed"
        case .changed(let path): "\(path) changed while it was packed"
        case .notAFolder(let path): "\(path) is a file, and `archive` has it with a slash at the end, as a folder"
        case .sameName(let name, let one, let other): "\(one) and \(other) would both be \(quoted(name)) in \(archive)"
        case .nothingLeft: "`include`, `exclude` and `strip` leave nothing for \(archive)"
        case .nameNotUnicode(let path, let format):
            "the name of \(quoted(path)) is not UTF-8, which \(format.rawValue) asks for"
        case .refused(let path, let text):
            "\(archive) cannot be written" + (path.map { " at \(quoted($0))" } ?? "")
                + ": \(text.lowercasedFirstLetter)"
        case .storage(let error): StorageText.sentence(error)
        case .cancelled: "\(archive) was not made, since the run was stopped"
        }
    }

    static func advice(_ error: PackingError) -> String? {
        switch error {
        case .special: "leave it out by `exclude`"
        case .changed: "let the task wait for what writes the file, by `needs`"
        case .notAFolder: "leave the slash out"
        case .sameName: "let `strip` keep more of the names, or make two archives"
        case .nothingLeft: "compare them with the paths as the job has them; `strip` comes last"
        case .nameNotUnicode: "make a tar archive, which keeps any name, or rename the file"
        case .refused: nil
        case .storage(let error): StorageText.advice(error)
        case .cancelled: nil
        }
    }

    /// A name out of an archive, with what cannot be shown replaced.
    private static func quoted(_ name: String) -> String {
        "`\(SafeText.of(name.utf8, limit: 200))`"
    }
}
