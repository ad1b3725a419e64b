import RunnerJob
import RunnerPlan
import RunnerStorage
import Testing

@Suite struct PartFileTests {
    @Test func appearsWholeAtTheDestination() throws {
        let directory = JobDirectory(root: "/tmp/st/smoke/deep/er")
        let path = TargetPath(normalized: "a/b/c.txt")
        let part = try directory.openPart(for: path, identity: "job")
        try "hello".utf8.map { $0 }.withUnsafeBytes { try part.write($0, at: 0) }
        #expect(part.length == 5)
        let state = try part.publish(mode: 0o640, modified: 1_000_000_000)
        #expect(state.size == 5)
        #expect(state.modified == 1_000_000_000_000_000_000)
        #expect(directory.state(of: path) == state)
    }
}
