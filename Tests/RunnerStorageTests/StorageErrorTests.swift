import Glibc
import RunnerJob
import RunnerStorage
import Testing

@Suite struct StorageErrorTests {
    static let classes: [(Int32, FaultClass, String)] = [
        (ENOSPC, .storage, "ENOSPC"), (EDQUOT, .storage, "EDQUOT"), (EIO, .storage, "EIO"),
        (EROFS, .storage, "EROFS"), (EMFILE, .storage, "EMFILE"), (ENFILE, .storage, "ENFILE"),
        (ESTALE, .storage, "ESTALE"), (EACCES, .disk, "EACCES"), (EPERM, .disk, "EPERM"),
        (ENAMETOOLONG, .disk, "ENAMETOOLONG"), (EFBIG, .disk, "EFBIG"), (ENOENT, .disk, "ENOENT"),
        (4095, .disk, "errno_4095"),
    ]

    @Test(arguments: classes) func classesTheSystemsErrors(_ errno: Int32, _ faultClass: FaultClass, _ code: String) {
        let error = StorageError.failed(.write, path: "f", errno: errno)
        #expect(error.faultClass == faultClass)
        #expect(error.code == code)
    }

    @Test func classesItsOwnErrors() {
        #expect(StorageError.noSpace(path: "f", missing: 1, free: 0).faultClass == .storage)
        #expect(StorageError.noSpace(path: "f", missing: 1, free: 0).code == "ENOSPC")
        #expect(StorageError.destinationIsFolder(path: "f").faultClass == .disk)
        #expect(StorageError.sourceMissing(path: "f").faultClass == .notFound)
        #expect(StorageError.sourceChanged(path: "f").faultClass == .input)
        #expect(StorageError.partIsClosed(path: "f").faultClass == .internal)
        #expect(StorageError.partIsClosed(path: "f").code == nil)
    }
}
