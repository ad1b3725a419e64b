import RunnerJob
import RunnerStorage
import TestSupport
import Testing

@Suite struct BadFilesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func keepsACopyOnceForEachContent() throws {
        let bad = BadFiles(folder: folder.path("bad/deep"))
        let digest = try DigestSet.digest(of: Array("wrong".utf8), by: .sha1)
        let path = folder.path("bad/deep/a.zip.\(digest.hex.prefix(12)).bad")
        #expect(bad.keep(MemoryFile("wrong"), named: "a.zip", digest: digest) == .at(path: path))
        #expect(bad.keep(MemoryFile("wrong"), named: "a.zip", digest: digest) == .at(path: path))
        #expect(DiskFile.text(path) == "wrong")
        guard case .at(let other) = bad.keep(MemoryFile("else"), named: "a.zip", digest: nil) else {
            Issue.record("not kept")
            return
        }
        #expect(other != path)
        #expect(folder.files().count == 2)
    }

    @Test func cutsNamesThatAreTooLong() throws {
        let name = String(repeating: "é", count: 127)
        guard case .at(let path) = BadFiles(folder: folder.path).keep(MemoryFile("x"), named: name, digest: nil) else {
            Issue.record("not kept")
            return
        }
        #expect(path.hasSuffix(".bad"))
        #expect(folder.files().count == 1)
    }

    @Test func tellsWhyItCouldNotKeepAFile() throws {
        _ = try folder.write("file", "in the way")
        guard case .failed = BadFiles(folder: folder.path("file")).keep(MemoryFile("x"), named: "a", digest: nil) else {
            Issue.record("kept")
            return
        }
    }
}
