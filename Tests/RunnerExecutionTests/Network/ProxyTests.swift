import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Requests through a proxy; a host that nobody has shows that the proxy was asked and nobody else.
@Suite struct ProxyTests {
    private func task(_ proxy: String, _ url: String = "http://origin.invalid/a") -> String {
        "  - {id: a, download: '\(url)', to: a, proxy: '\(proxy)', retry: {attempts: 2, first: 1ms}}"
    }

    @Test func aRequestGoesThroughTheProxyOfTheJob() async throws {
        let server = try FaultServer()
        server.on("http://origin.invalid/a", .content(.text("by proxy")))
        let bench = try JobBench()
        let outcome = try await bench.run(task(server.origin.split(separator: "//").joined(separator: "//me:p%40ss@")))
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array("by proxy".utf8))
        #expect(server.requests.first?.header("Proxy-Authorization") == "Basic bWU6cEBzcw==")
    }

    @Test(arguments: [
        (["http_proxy": "PROXY"], true), (["all_proxy": "PROXY"], true), (["ALL_PROXY": "PROXY"], true),
        // Without a scheme it is http.
        (["http_proxy": "HOST"], true),
        (["HTTP_PROXY": "PROXY"], false), (["https_proxy": "PROXY"], false),
        (["http_proxy": "PROXY", "no_proxy": "origin.invalid"], false),
        (["http_proxy": "PROXY", "NO_PROXY": ".invalid"], false),
        (["http_proxy": "PROXY", "NO_PROXY": "*"], false),
        (["http_proxy": "PROXY", "no_proxy": "gin.invalid, 10.0.0.0/8"], true), ([:], false),
    ])
    func theEnvironmentNamesAProxy(_ environment: [String: String], isUsed: Bool) async throws {
        let server = try FaultServer()
        server.on("http://origin.invalid/a", .content(.text("by proxy")))
        let bench = try JobBench()
        let variables = environment.mapValues { value in
            value == "PROXY" ? server.origin : value == "HOST" ? "127.0.0.1:\(server.port)" : value
        }
        let outcome = try await bench.run(
            "  - {id: a, download: 'http://origin.invalid/a', to: a, retry: {attempts: 1}}",
            configure: { $0.environment = variables })
        #expect((outcome.finished.exitStatus == 0) == isUsed)
        #expect(server.requests.isEmpty != isUsed)
        if !isUsed { #expect(outcome.task("a")?.failure?.faultClass == .dns) }
    }

    /// Networks are told by their bits; curl's own tables of such cases are its business.
    @Test(arguments: [("127.0.0.0/8", true), ("127.0.0.1", true), ("128.0.0.0/8", false), ("localhost", false)])
    func networksMayBeExcepted(_ exception: String, isStraight: Bool) async throws {
        let origin = try FaultServer(files: ["/a": .text("straight")])
        let proxy = try FaultServer()
        proxy.on("http://", .content(.text("by proxy")))
        let bench = try JobBench()
        _ = try await bench.run(
            "  - {id: a, download: '\(origin.url("/a"))', to: a}",
            configure: { $0.environment = ["http_proxy": proxy.origin, "no_proxy": exception] })
        #expect(bench.bytes("a") == Array((isStraight ? "straight" : "by proxy").utf8))
    }

    @Test func noneIgnoresTheEnvironment() async throws {
        let origin = try FaultServer(files: ["/a": .text("straight")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            task("none", origin.url("/a")), configure: { $0.environment = ["http_proxy": "http://127.0.0.1:1"] })
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array("straight".utf8))
    }

    @Test(arguments: [
        (502, FaultClass.connect, 2), (503, .connect, 2), (407, .auth, 1), (403, .auth, 1), (404, .client, 1),
    ])
    func aRefusedTunnelIsTheProxysFault(_ status: Int, _ faultClass: FaultClass, requests: Int) async throws {
        let server = try FaultServer()
        server.on("origin.invalid:443", method: "CONNECT", .status(status))
        let bench = try JobBench()
        let outcome = try await bench.run(task(server.origin, "https://origin.invalid/a"))
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == faultClass)
        #expect(failure.message.contains("the proxy \(server.origin) answered \(status)"))
        #expect(failure.code == "proxy_\(status)")
        #expect(server.requests.count == requests)
    }

    /// A proxy that has too much to do says when to come back, as a server does.
    @Test(arguments: [429, 503]) func aRefusedTunnelIsAskedForWhenTheProxySays(_ status: Int) async throws {
        let server = try FaultServer()
        server.on("origin.invalid:443", method: "CONNECT", .status(status), .retryAfter("1"))
        let bench = try JobBench()
        let outcome = try await bench.run(task(server.origin, "https://origin.invalid/a"))
        #expect(server.requests.count == 2)
        #expect(outcome.finished.duration >= .seconds(1))
        #expect(outcome.task("a")?.failure?.code == "proxy_\(status)")
    }

    @Test func aRefusedTunnelIsNotWaitedForBeyondMaxWait() async throws {
        let server = try FaultServer()
        server.on("origin.invalid:443", method: "CONNECT", .status(503), .retryAfter("60"))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'https://origin.invalid/a', to: a, proxy: '\(server.origin)', retry: {max_wait: 1s}}"
        )
        #expect(server.requests.count == 1)
        #expect(outcome.task("a")?.failure?.code == "proxy_503")
    }

    /// Without a tunnel the refusal comes in place of the reply, and is the proxy's all the same.
    @Test func aProxyThatWantsAPasswordIsNamed() async throws {
        let server = try FaultServer()
        server.on("http://origin.invalid/a", .status(407))
        let bench = try JobBench()
        let outcome = try await bench.run(task(server.origin))
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .auth)
        #expect(failure.message.contains("the proxy \(server.origin) answered 407"))
        #expect(failure.code == "proxy_407")
        #expect(failure.advice?.contains("`proxy`") == true)
        #expect(server.requests.count == 1)
    }

    /// Who finds out the address of a host is what the schemes differ in.
    @Test(
        arguments: [
            ("socks5h", "origin.invalid", 5, "origin.invalid"), ("socks4a", "origin.invalid", 4, "origin.invalid"),
            ("socks5", "localhost", 5, "127.0.0.1"), ("socks4", "localhost", 4, "127.0.0.1"),
        ] as [(String, String, UInt8, String)])
    func aRequestGoesThroughASocksProxy(_ scheme: String, _ host: String, _ version: UInt8, asked: String)
        async throws
    {
        let server = try FaultServer(files: ["/a": ServedFile(.text("by proxy"))])
        let proxy = try SocksProxy(to: server.port)
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'http://\(host):8080/a', to: a, ip: 4, proxy: '\(scheme)://127.0.0.1:\(proxy.port)'}"
        )
        #expect(outcome.finished.exitStatus == 0, "\(String(describing: outcome.task("a")?.failure))")
        #expect(bench.bytes("a") == Array("by proxy".utf8))
        #expect(proxy.requests == [SocksProxy.Request(version: version, host: asked, port: 8080)])
        #expect(server.requests.first?.header("Host") == "\(host):8080")
    }

    @Test(arguments: [("me:p%40ss@", true), ("me:wrong@", false), ("", false)])
    func aSocksProxyMayWantAPassword(_ credentials: String, isRight: Bool) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.text("by proxy"))])
        let proxy = try SocksProxy(to: server.port, credentials: "me:p@ss")
        let bench = try JobBench()
        let outcome = try await bench.run(task("socks5h://\(credentials)127.0.0.1:\(proxy.port)"))
        #expect((outcome.finished.exitStatus == 0) == isRight)
        #expect(server.requests.isEmpty != isRight)
        if !isRight {
            #expect(outcome.task("a")?.failure?.message.contains("the proxy socks5h://127.0.0.1") == true)
        }
        #expect(!"\(outcome.events)".contains("p@ss"))
    }

    @Test(arguments: ["http", "socks5h", "socks4"])
    func aProxyThatIsNotThereIsNamed(_ scheme: String) async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(task("\(scheme)://127.0.0.1:1", "http://127.0.0.1:1/a"))
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .connect)
        #expect(failure.message.contains("the proxy \(scheme)://127.0.0.1:1 failed"))
        #expect(outcome.failedAttempts == [.connect, .connect])
    }

    @Test func aProxysNameThatIsUnknownIsNamedToo() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(task("http://proxy.invalid:3128"))
        #expect(outcome.task("a")?.failure?.faultClass == .connect)
        #expect(outcome.task("a")?.failure?.message.contains("http://proxy.invalid:3128") == true)
    }

    @Test func thePasswordOfAProxyIsNeverTold() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(task("http://me:hidden-word@127.0.0.1:1"))
        #expect(outcome.finished.exitStatus == 1)
        #expect(!"\(outcome.events)".contains("hidden-word"))
    }

    @Test func aTunnelsReplyIsNotTakenForTheServers() async throws {
        let server = try FaultServer()
        // A tunnel that leads nowhere: what follows the proxy's 200 is no TLS.
        server.on("origin.invalid:443", method: "CONNECT", .status(200), .withoutHeader("Content-Length"))
        let bench = try JobBench()
        let outcome = try await bench.run(task(server.origin, "https://origin.invalid/a"))
        #expect(outcome.finished.exitStatus == 1)
        #expect(bench.bytes("a") == nil)
    }
}
