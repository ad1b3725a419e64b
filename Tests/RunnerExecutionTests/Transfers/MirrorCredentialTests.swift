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

    // MARK: - Checksum lists

    /// Runs a task whose checksum list lies elsewhere; the requests for the list.
    private func listRequests(_ auth: String, hosts: (FaultServer) -> String = { _ in "" }) async throws
        -> [RecordedRequest]
    {
        let content = Content.text("hello")
        let first = try FaultServer(files: ["/a": ServedFile(content)])
        let other = try FaultServer(files: ["/SUMS": .text("\(content.sha256)  a\n")])
        let bench = try JobBench()
        _ = try bench.folder.write("netrc", "machine 127.0.0.1 login u password p\n")
        let outcome = try await bench.run(
            """
              - id: a
                download: '\(first.url("/a"))'
                to: a
                \(auth)
                digest: {file: '\(other.url("/SUMS"))'}
            """, top: hosts(other))
        #expect(outcome.task("a")?.outcome == .succeeded)
        return other.requests
    }

    @Test(arguments: [
        "auth: {bearer: s3cret-token}", "auth: {basic: {user: u, password: p}}", "headers: {Authorization: mine}",
        "headers: {Cookie: sid=1}",
    ])
    func aChecksumListElsewhereGetsNoCredentials(_ auth: String) async throws {
        for hosts in ["", "hosts: {\"*\": {per_host: 2, headers: {X-Plain: yes}}}\n"] {
            let requests = try await listRequests(auth) { _ in hosts }
            #expect(requests.map { $0.header("Authorization") } == [nil])
            #expect(requests.map { $0.header("Cookie") } == [nil])
        }
    }

    @Test func whatIsSaidOfTheListsOwnHostIsSent() async throws {
        let requests = try await listRequests("auth: {bearer: s3cret-token}") { other in
            "hosts: {\"127.0.0.1:\(other.port)\": {auth: {bearer: theirs}}}\n"
        }
        #expect(requests.map { $0.header("Authorization") } == ["Bearer theirs"])
    }

    @Test func aNetrcFileIsForTheListToo() async throws {
        let requests = try await listRequests("auth: {netrc: netrc}")
        #expect(requests.map { $0.header("Authorization") } == ["Basic dTpw"])
    }
}
