import Glibc
import LibSQLite
import TestSupport
import Testing

/// What a power loss may do to files and ledger, behind the back of the next run.
@Suite struct PowerLossTests {
    let folder: TemporaryDirectory
    let server: FaultServer
    let names = ["a", "b", "c", "d"]

    private func content(_ name: String) -> Content { .pattern(count: 200_000, seed: UInt64(name.utf8.first ?? 0)) }

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer()
        for name in names { server.serve("/" + name, ServedFile(content(name), etag: "\"\(name)\"")) }
        // Two of them have a digest, two are asked about.
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ndefaults: {timeout: {stall: 10m}}\ntasks:\n"
                + names.map { name in
                    let digest = "ab".contains(name) ? ", sha256: \(content(name).sha256)" : ""
                    return "  - {download: \"\(server.url("/" + name))\", to: \(name)\(digest)}\n"
                }.joined())
    }

    private func run() async throws {
        let outcome = try await RunnerBinary.run(["run", "job.yaml", "--quiet"], in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
    }

    /// Rows as they are when nothing was synced before the machine went down, and the files as they are now.
    private func loseSync() throws {
        let connection = try Connection(path: folder.path("out/.runner/ledger.sqlite"), access: .existing)
        for name in names {
            var status = stat()
            #expect(stat(folder.path("out/" + name), &status) == 0)
            try connection.run(
                "UPDATE files SET boot = 'another', synced = 0, size = ?, modified = ?, changed = ?, inode = ? WHERE path = ?",
                .integer(Int64(status.st_size)), .integer(Self.nanoseconds(status.st_mtim)),
                .integer(Self.nanoseconds(status.st_ctim)), .integer(Int64(bitPattern: UInt64(status.st_ino))),
                .text(name))
        }
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func checkAll() {
        for name in names { #expect(folder.read("out/" + name) == content(name).allBytes, "\(name)") }
    }

    @Test(arguments: [0, 200_000]) func filesThatLostTheirBytesAreFoundAndMended(_ length: Int) async throws {
        try await run()
        for name in names { try folder.write("out/" + name, [UInt8](repeating: 0, count: length)) }
        try loseSync()
        try await run()
        checkAll()
        let count = server.requests.count
        try await run()
        // The rows are believed again: files with a digest are not even read, the others are asked about.
        #expect(server.requests.dropFirst(count).map { $0.header("If-None-Match") != nil } == [true, true])
    }

    @Test func partsThatLostTheirBytesAreNotBelieved() async throws {
        server.on("/c", nth: 1, .stall(after: 150_000))
        let process = try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        _ = await process.waitForLine { $0.text.contains("\"attempt.started\",\"task\":\"c\"") }
        func text(_ name: String) -> String { String(decoding: folder.read(name) ?? [], as: UTF8.self) }
        func state() -> String? {
            folder.files().first { $0.hasPrefix("out/.runner/parts/") && text($0).contains("\"path\":\"c\"") }
        }
        while state() == nil, process.endTime == nil { await Task.yield() }
        process.signal(SIGKILL)
        _ = await process.wait()
        let part = try #require(folder.files().first { $0.hasPrefix("out/.c.") && $0.hasSuffix(".part") })
        let name = try #require(state())
        // What was synced stays; the rest has its length and not its bytes.
        let synced = try #require(text(name).firstMatch(of: #/"synced":(\d+)/#).flatMap { Int($0.1) })
        let bytes = try #require(folder.read(part))
        try folder.write(part, bytes.prefix(synced) + [UInt8](repeating: 0, count: max(0, bytes.count - synced)))
        try folder.write(name, text(name).replacing(#/"boot":"[^"]*"/#, with: "\"boot\":\"another\""))
        try await run()
        checkAll()
    }

    @Test func anOlderLedgerIsNoDanger() async throws {
        try await run()
        let old = try #require(folder.read("out/.runner/ledger.sqlite"))
        for name in names {
            server.serve("/" + name, ServedFile(.text("new " + name), etag: "\"new-\(name)\""))
        }
        let job = String(decoding: folder.read("job.yaml") ?? [], as: UTF8.self)
        var changed = job
        for name in ["a", "b"] {
            changed = changed.replacing(content(name).sha256, with: Content.text("new " + name).sha256)
        }
        try folder.write("job.yaml", changed)
        try await run()
        try folder.write("out/.runner/ledger.sqlite", old)
        try await run()
        for name in names { #expect(folder.read("out/" + name) == Array("new \(name)".utf8)) }
        try folder.write("out/.runner/ledger.sqlite", [UInt8](repeating: 0, count: old.count))
        try await run()
        for name in names { #expect(folder.read("out/" + name) == Array("new \(name)".utf8)) }
    }
}
