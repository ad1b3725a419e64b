import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite struct HostSectionTests {
    @Test func aRedirectTargetGetsItsOwnSection() async throws {
        let first = try FaultServer()
        let second = try FaultServer(files: ["/b": .text("b")])
        first.on("/a", .redirect(to: second.url("/b")))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {download: '\(first.url("/a"))', to: a, auth: {bearer: own}}",
            top: """
                hosts:
                  "127.0.0.1:\(first.port)": {headers: {X-First: "1"}}
                  "127.0.0.1:\(second.port)": {auth: {basic: {user: u, password: p}}, headers: {X-Second: "2"}}
                """)
        #expect(outcome.finished.exitStatus == 0)
        let asked = try #require(first.requests.first)
        #expect(asked.header("Authorization") == "Bearer own")
        #expect(asked.header("X-First") == "1")
        #expect(asked.header("X-Second") == nil)
        let target = try #require(second.requests.first)
        #expect(target.header("Authorization") == "Basic dTpw")
        #expect(target.header("X-First") == nil)
        #expect(target.header("X-Second") == "2")
    }

    @Test func aTargetWithoutASectionGetsNoCredentials() async throws {
        let first = try FaultServer()
        let second = try FaultServer(files: ["/b": .text("b")])
        first.on("/a", .redirect(to: second.url("/b")))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {download: '\(first.url("/a"))', to: a}",
            top: "hosts: {\"127.0.0.1:\(first.port)\": {auth: {bearer: x}, headers: {Cookie: c}}}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(first.requests.first?.header("Authorization") == "Bearer x")
        #expect(second.requests.first?.header("Authorization") == nil)
        #expect(second.requests.first?.header("Cookie") == nil)
    }

    @Test func aChecksumListElsewhereGetsNothingOfTheFilesServer() async throws {
        let files = try FaultServer(files: ["/a": .text("a")])
        let lists = try FaultServer(files: ["/SUMS": .text("\(Content.text("a").sha256)  a\n")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {download: '\(files.url("/a"))', to: a, digest: {file: '\(lists.url("/SUMS"))'}}",
            top: "hosts: {\"127.0.0.1:\(files.port)\": {auth: {bearer: x}}}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(files.requests.first?.header("Authorization") == "Bearer x")
        #expect(lists.requests.first?.header("Authorization") == nil)
    }
}
