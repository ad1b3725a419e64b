import Glibc
import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite struct CookieTests {
    private static let head = "# Netscape HTTP Cookie File\n"

    private func line(_ domain: String, _ name: String) -> String {
        "\(domain)\tFALSE\t/\tFALSE\t0\t\(name)\tv\r\n"
    }

    @Test func aJarIsSentByItsRules() async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        try bench.folder.write(
            "jar",
            Self.head + line("127.0.0.1", "mine") + line("example.org", "other")
                + line("#HttpOnly_127.0.0.1", "hidden"))
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, cookies: jar}")
        #expect(outcome.finished.exitStatus == 0)
        let sent = try #require(server.requests.first?.header("Cookie"))
        #expect(Set(sent.split(separator: "; ")) == ["mine=v", "hidden=v"])
    }

    @Test func aJarThatIsMissingIsNamed() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: 'http://127.0.0.1:1/a', to: a, cookies: none}")
        #expect(outcome.task("a")?.failure?.faultClass == .input)
        #expect(outcome.task("a")?.failure?.message.contains("`cookies`") == true)
    }

    /// libcurl passes over what it cannot read, so that the server would be asked without any cookie.
    @Test(arguments: [
        "[{\"name\": \"a\", \"value\": \"b\"}]\n", "a=b; c=d\n",
        head + "127.0.0.1 FALSE / FALSE 0 a b\n", "<html>\r\n<title>Sign in</title>\r\n",
    ])
    func aJarInAnotherFormatIsRefused(_ jar: String) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        try bench.folder.write("jar", jar)
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, cookies: jar}")
        #expect(outcome.task("a")?.failure?.faultClass == .input)
        #expect(outcome.task("a")?.failure?.message.contains("Netscape") == true)
        #expect(server.requests.isEmpty)
    }

    /// libcurl passes over such a line, so that this one cookie would be missing.
    @Test(arguments: [
        ("\u{FEFF}127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n", ["jar:1", "byte order mark"]),
        (head + "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\tc\n", ["jar:2", "8 fields"]),
        (head + "127.0.0.1\tFALSE\t/\tFALSE\t0\tx\ty\r\n\r\n127.0.0.1\t0\ta\tb\r\n", ["jar:4", "4 fields"]),
        (head + "127.0.0.1\tFALSE\t/\t0\ta\n" + head, ["jar:2", "5 fields"]),
    ])
    func aLineThatIsNoCookieIsTold(_ jar: String, _ words: [String]) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        try bench.folder.write("jar", jar)
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, cookies: jar}")
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .input)
        for word in words { #expect(failure.message.contains(word), "\(failure.message)") }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        "\u{FEFF}" + head + "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n", "127.0.0.1\tFALSE\tFALSE\t0\ta\tb\n",
        "# a\tb\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb",
    ])
    func aCookieIsSentWhateverStandsAroundIt(_ jar: String) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        try bench.folder.write("jar", jar)
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, cookies: jar}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.first?.header("Cookie") == "a=b")
    }

    @Test(arguments: ["", head, "\n\n", "Set-Cookie: a=b\n", "junk\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\n"])
    func aJarMayBeEmptyOrHaveOddLines(_ jar: String) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        try bench.folder.write("jar", jar)
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, cookies: jar}")
        #expect(outcome.finished.exitStatus == 0)
    }

    @Test func cookiesLiveThroughRedirectsAndAreSaved() async throws {
        let server = try FaultServer(files: ["/b": .text("x")])
        server.on("/a", .redirect(to: "/b"), .addHeader("Set-Cookie", "session=s3; Path=/; Max-Age=1000"))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, save_cookies: jar}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "session=s3"])
        let text = try #require(DiskFile.text(bench.folder.path("jar")))
        #expect(text.hasPrefix("# Netscape"))
        #expect(text.contains("\tsession\ts3\n"))
        var status = stat()
        #expect(stat(bench.folder.path("jar"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(bench.folder.files().filter { $0.hasPrefix("jar") } == ["jar"])
    }

    @Test func aSavedJarIsForTheTaskThatReadsItAndForNoOther() async throws {
        let server = try FaultServer(files: ["/b": .text("b"), "/c": .text("c")])
        server.on("/login", .content(.text("in")), .addHeader("Set-Cookie", "session=s3; Path=/"))
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: login, download: '\(server.url("/login"))', to: login, save_cookies: jar}
              - {id: c, download: '\(server.url("/c"))', to: c, needs: [login]}
              - {id: b, download: '\(server.url("/b"))', to: b, cookies: jar, needs: [c]}
              - {id: d, download: '\(server.url("/c"))', to: d, needs: [b]}
            """, top: "limits: {concurrency: 1}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests(to: "/b").map { $0.header("Cookie") } == ["session=s3"])
        #expect(server.requests(to: "/c").map { $0.header("Cookie") } == [nil, nil])
    }

    @Test func aFailedTaskLeavesTheOldJar() async throws {
        let server = try FaultServer()
        server.on("/a", .content(.text("wrong")), .addHeader("Set-Cookie", "new=1"))
        let bench = try JobBench()
        try bench.folder.write("jar", "old")
        let digest = Content.text("right").sha256
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, save_cookies: jar, sha256: \(digest)}")
        #expect(outcome.finished.exitStatus == 1)
        #expect(DiskFile.text(bench.folder.path("jar")) == "old")
    }
}
