import RunnerJob
import RunnerStorage

#if canImport(Glibc)
    import Glibc
#endif

/// What the disk refused, in words.
enum StorageText {
    static func sentence(_ error: StorageError) -> String {
        switch error {
        case .failed(let operation, let path, let errno):
            "\(path): cannot \(words(operation)): \(systemText(errno))"
        case .noSpace(let path, let missing, let free):
            "\(path): no space left" + (missing.map { ": \($0) bytes are missing" } ?? "")
                + (free.map { ", \($0) bytes are free" } ?? "")
        case .overQuota(let path, let missing):
            "\(path): the disk quota is used up" + (missing.map { ": \($0) bytes are missing" } ?? "")
        case .destinationIsFolder(let path): "\(path) is a folder, not a file"
        case .destinationIsSpecial(let path): "\(path) is neither a file nor a folder"
        case .parentIsFile(let path, let parent): "\(path): \(parent) is a file, not a folder"
        case .linkInPath(let path, let link, let target, _):
            "\(path): \(link) is a link to \(target), which may lead out of the job's directory"
        case .partIsClosed(let path): "\(path): the part file was closed too early"
        case .partReplaced(let path):
            "\(path): another process has removed, replaced or cut its part while it was written"
        case .digestFailed(let algorithm, let text): "\(algorithm.rawValue) cannot be computed: \(text)"
        case .sourceMissing(let path): "\(path) is not there"
        case .sourceIsNotFile(let path): "\(path) is not a regular file"
        case .sourceUnreadable(let path, let errno): "\(path) cannot be read: \(systemText(errno))"
        case .sourceChanged(let path): "\(path) changed while it was read"
        case .noName: "neither the server nor the URL gives the file a name"
        case .badName(let name): "the server's name '\(SafeText.of(Array(name.utf8)))' makes no name of a file"
        case .nameTaken(let path): "the server names the file \(path), which is there already and not of this task"
        case .nameOfOtherTask(let path): "the server names the file \(path), which another task of this run writes"
        }
    }

    static func advice(_ error: StorageError) -> String? {
        switch error {
        // Bytes are not what is missing, or nobody knows that they are.
        case .noSpace(_, nil, let free) where free != 0:
            "free some space, or remove files where `df -i` shows no free inodes, and run again: what was fetched is kept"
        case .noSpace: "free some space and run again: what was fetched is kept"
        case .overQuota: "free some of your quota and run again: what was fetched is kept"
        case .destinationIsFolder, .destinationIsSpecial:
            "give the file another name, or move what is there away"
        case .partReplaced: "let runs with different state folders (--state) not work in one folder at the same time"
        case .noName, .badName: "write the name of the file: to: folder/name"
        case .nameTaken: "move that file away, name this one in `to`, or write `exists: replace`"
        case .nameOfOtherTask: "name one of the two in `to`"
        case .parentIsFile: "give another `to`, or move the file away"
        case .linkInPath(_, _, _, let absolute): "write the absolute path if that is meant: to: \(absolute)"
        case .failed where error.isOutOfDescriptors, .sourceUnreadable where error.isOutOfDescriptors:
            "raise the limit of open files (ulimit -n), or lower limits.concurrency"
        case .failed(_, _, EACCES), .failed(_, _, EPERM): "check who owns the folder and what its mode is"
        case .failed(_, _, EROFS): "the file system is mounted read-only"
        case .failed(_, _, EIO): "the disk is out of order: look at the kernel's messages (dmesg) before running again"
        case .failed(_, _, EFBIG): "neither the file system nor a limit (ulimit -f) may be smaller than the file"
        default: nil
        }
    }

    private static func words(_ operation: StorageError.Operation) -> String {
        switch operation {
        case .makeFolder: "make the folder"
        case .setMode: "set the mode"
        case .setModified: "set the time"
        case .measureSpace: "measure the free space"
        case .reserve: "reserve space"
        default: operation.rawValue
        }
    }

    /// strerror(3) in the C locale, by a call that threads may make at once.
    static func systemText(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).lowercasedFirstLetter
    }
}

extension String {
    var lowercasedFirstLetter: String {
        first.map { $0.lowercased() + dropFirst() } ?? self
    }
}
