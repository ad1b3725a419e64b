import TestSupport
import Testing

/// Many starts of one job at once.
@Suite struct CrowdTests {
    private static let count = Soak.isWanted ? 200 : 12

    let folder: TemporaryDirectory
    let server: FaultServer
    let gate: Gate

    init() throws {
        folder = try TemporaryDirectory()
        gate = try Gate()
        server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 100_000), etag: "\"a\"")])
        server.on("/a", nth: 1, .stall(after: 50_000, until: gate))
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ndefaults: {timeout: {stall: 10m}}\ntasks:\n  - {download: \"\(server.url("/a"))\", to: a, sha256: "
                + "\(Content.pattern(count: 100_000).sha256)}\n")
    }

    @Test(.timeLimit(.minutes(10))) func oneRunsAndTheOthersEndAtOnce() async throws {
        let processes = try (0..<Self.count).map { _ in
            try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        }
        // The one that runs waits for the gate; all others end before it opens.
        var refused = 0
        for process in processes {
            let line = await process.waitForLine { line in
                line.text.contains("\"attempt.started\"") || line.text.contains("is at work")
            }
            guard line?.isError == true else { continue }
            refused += 1
            #expect(await process.wait() == .exited(3))
            #expect(process.output.isEmpty)
        }
        #expect(refused == Self.count - 1)
        gate.open()
        var statuses: [ChildProcess.End] = []
        for process in processes { statuses.append(await process.wait()) }
        #expect(statuses.filter { $0 == .exited(0) }.count == 1)
        #expect(server.requests.count == 1)
        let running = processes.first { !$0.output.isEmpty }
        let texts = processes.map { String(decoding: $0.errorOutput, as: UTF8.self) }.filter {
            $0.contains("is at work")
        }
        #expect(texts.allSatisfy { $0.contains("process \(running?.pid ?? 0) on ") })
    }

    @Test(.timeLimit(.minutes(10))) func thoseThatWaitFindNothingToDo() async throws {
        let processes = try (0..<Self.count / 2).map { _ in
            try RunnerBinary.start(["run", "job.yaml", "--wait"], in: folder.path)
        }
        #expect(await server.waitForRequests(1).count == 1)
        gate.open()
        for process in processes { #expect(await process.wait(for: .seconds(300)) == .exited(0)) }
        #expect(server.requests.count == 1)
        let texts = processes.map { String(decoding: $0.errorOutput, as: UTF8.self) }
        #expect(texts.filter { $0.contains("1 up to date") }.count == Self.count / 2 - 1)
        #expect(folder.read("out/a") == Content.pattern(count: 100_000).allBytes)
    }
}
