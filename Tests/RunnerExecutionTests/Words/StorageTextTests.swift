import Glibc
import RunnerJob
import RunnerStorage
import Testing

@testable import RunnerExecution

@Suite struct StorageTextTests {
    static let errors: [(StorageError, String)] = [
        (.noSpace(path: "d/f", missing: 10, free: 3), "d/f: no space left: 10 bytes are missing, 3 bytes are free"),
        (.noSpace(path: "d/f", missing: nil, free: nil), "d/f: no space left"),
        (.overQuota(path: "d/f", missing: 10), "d/f: the disk quota is used up: 10 bytes are missing"),
        (.destinationIsFolder(path: "d/f"), "d/f is a folder, not a file"),
        (.destinationIsSpecial(path: "d/f"), "d/f is neither a file nor a folder"),
        (.parentIsFile(path: "d/f", parent: "d"), "d/f: d is a file, not a folder"),
        (
            .linkInPath(path: "d/f", link: "d", target: "/x", absolutePath: "/x/f"),
            "d/f: d is a link to /x, which may lead out of the job's directory"
        ),
        (.partIsClosed(path: "d/f"), "d/f: the part file was closed too early"),
        (
            .partReplaced(path: "d/f"),
            "d/f: another process has removed, replaced or cut its part while it was written"
        ),
        (.digestFailed(.sha256, text: "no"), "sha256 cannot be computed: no"),
        (.sourceMissing(path: "/s"), "/s is not there"), (.sourceIsNotFile(path: "/s"), "/s is not a regular file"),
        (.sourceUnreadable(path: "/s", errno: EACCES), "/s cannot be read: permission denied"),
        (.sourceChanged(path: "/s"), "/s changed while it was read"),
    ]

    @Test(arguments: errors)
    func everyErrorHasItsSentence(_ error: StorageError, sentence: String) {
        #expect(StorageText.sentence(error) == sentence)
    }

    @Test(arguments: StorageError.Operation.allCases)
    func everyCallIsNamed(_ operation: StorageError.Operation) {
        let sentence = StorageText.sentence(.failed(operation, path: "d/f", errno: EIO))
        #expect(sentence.hasPrefix("d/f: cannot "))
        #expect(sentence.hasSuffix(": input/output error"))
        // Words, not names of functions.
        #expect(!sentence.contains { $0.isUppercase })
    }

    @Test func anUnknownNumberIsTold() {
        #expect(StorageText.sentence(.failed(.write, path: "f", errno: 9999)).contains("9999"))
    }

    @Test(arguments: [
        (StorageError.noSpace(path: "f", missing: nil, free: nil), "df -i"),
        (.noSpace(path: "f", missing: nil, free: 4096), "df -i"),
        (.noSpace(path: "f", missing: 1, free: 4096), "space and"),
        (.destinationIsFolder(path: "f"), "another name"),
        (.destinationIsSpecial(path: "f"), "another name"), (.parentIsFile(path: "f", parent: "d"), "`to`"),
        (.linkInPath(path: "f", link: "d", target: "/x", absolutePath: "/x/f"), "to: /x/f"),
        (.failed(.create, path: "f", errno: EMFILE), "ulimit -n"), (.failed(.create, path: "f", errno: EACCES), "mode"),
        (.failed(.create, path: "f", errno: EROFS), "read-only"), (.overQuota(path: "f", missing: nil), "quota"),
        (.failed(.write, path: "f", errno: EIO), "dmesg"), (.failed(.write, path: "f", errno: EFBIG), "ulimit -f"),
        (.sourceUnreadable(path: "f", errno: ENFILE), "ulimit -n"),
    ])
    func adviceNamesWhatCanBeDone(_ error: StorageError, part: String) throws {
        #expect(try #require(StorageText.advice(error)).contains(part))
    }
}
