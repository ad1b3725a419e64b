import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// A task's credentials are for the origin of its URL; a mirror elsewhere never sees them.
@Suite struct MirrorCredentialTests {
    @Test func aMirrorElsewhereGetsNoCredentials() async throws {
        let first = try FaultServer()
        first.on("/a", .status(404))
        let mirror = try FaultServer(files: ["/m": .text("hello")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - id: a
                download: '\(first.url("/a"))'
                mirrors: ['\(mirror.url("/m"))']
                to: a
                auth: {bearer: s3cret-token}
                headers: {Cookie: sid=1, X-Plain: yes}
            """)
        #expect(outcome.finished.exitStatus == 0)
        #expect(first.requests.first?.header("Authorization") == "Bearer s3cret-token")
        #expect(mirror.requests.first?.header("Authorization") == nil)
        #expect(mirror.requests.first?.header("Cookie") == nil)
        #expect(mirror.requests.first?.header("X-Plain") == "yes")
    }

    @Test func whatStandsInAMirrorsOwnURLIsSent() async throws {
        let first = try FaultServer()
        first.on("/a", .status(404))
        let mirror = try FaultServer(files: ["/m": .text("hello")])
        let bench = try JobBench()
        let own = mirror.url("/m").replacing("http://", with: "http://u:p@")
        let outcome = try await bench.run(
            "  - {id: a, download: '\(first.url("/a"))', mirrors: ['\(own)'], to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(mirror.requests.first?.header("Authorization") == "Basic dTpw")
    }
}
