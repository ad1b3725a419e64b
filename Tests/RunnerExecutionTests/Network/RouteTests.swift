import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite("Where requests go")
struct RouteTests {
    private let content = Content.pattern(count: 20_000)

    @Test func aMirrorIsAskedWithoutCredentials() async throws {
        let mirror = try FaultServer(files: ["/m/f": ServedFile(content)])
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - id: a
                download: http://me:pass@files.invalid/d/f
                auth: {bearer: T0KEN}
                headers: {X-Plain: p, X-Key: "${secret:S}"}
            """,
            top: "hosts: {files.invalid: {rewrite: {/d/: '\(mirror.url("/m/"))'}}}", environment: ["S": "hunter22"])
        #expect(outcome.task("a")?.outcome == .succeeded)
        let request = try #require(mirror.requests.first)
        #expect(request.header("Authorization") == nil && request.header("X-Key") == nil)
        #expect(request.header("X-Plain") == "p")
        #expect(bench.bytes("f") == content.allBytes)
    }

    @Test func aMirrorHasItsOwnSection() async throws {
        let mirror = try FaultServer(files: ["/f": ServedFile(content)])
        let outcome = try await JobBench().run(
            "  - {id: a, download: 'http://files.invalid/f', auth: {bearer: T0KEN}}",
            top: """
                hosts:
                  files.invalid: {rewrite: '\(mirror.url("/"))'}
                  "127.0.0.1:\(mirror.port)": {auth: {bearer: M1RROR}}
                """)
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(mirror.requests.first?.header("Authorization") == "Bearer M1RROR")
    }

    @Test func aRedirectIsRewrittenToo() async throws {
        let mirror = try FaultServer(files: ["/m/f": ServedFile(content)])
        let server = try FaultServer()
        server.on("/a", .redirect(to: "http://files.invalid/f"))
        let outcome = try await JobBench().run(
            "  - {id: a, download: '\(server.url("/a"))', auth: {bearer: T0KEN}}",
            top: "hosts: {files.invalid: {rewrite: '\(mirror.url("/m/"))'}}")
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(mirror.requests.first?.header("Authorization") == nil)
    }

    @Test func aRedirectToABlockedHostIsNotFollowed() async throws {
        let other = try FaultServer(files: ["/b": ServedFile(content)])
        let server = try FaultServer()
        server.on("/a", .redirect(to: other.url("/b")))
        let outcome = try await JobBench().run(
            "  - {id: a, download: '\(server.url("/a"))'}",
            top: "hosts:\n  '*': {block: true}\n  '127.0.0.1:\(server.port)': {allow: true}")
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .redirect)
        #expect(failure.message.contains("`hosts` forbids that in line 3 (*)"), "\(failure.message)")
        #expect(other.requests.isEmpty && server.requests.count == 1)
    }
}
