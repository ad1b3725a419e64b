import TestSupport
import Testing

@Suite struct MemoryTests {
    /// The most memory that the program has had when all but the last byte of a file has come, in kibibytes.
    private func peak(fetching count: Int) async throws -> Int {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: count))])
        let gate = try Gate()
        server.on("/a", .stall(after: count - 1, until: gate))
        let folder = try TemporaryDirectory()
        try folder.write("job.yaml", "version: 1\ntasks:\n  - {download: '\(server.url("/a"))', to: a}\n")
        let process = try RunnerBinary.start(["run", "job.yaml"], in: folder.path)
        let requests = await server.waitForRequests { $0.first?.sent == count - 1 }
        try #require(requests.first?.sent == count - 1)
        let status = DiskFile.text("/proc/\(process.pid)/status") ?? ""
        gate.open()
        #expect(await process.wait() == .exited(0))
        #expect(folder.read("a")?.count == count)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test func memoryDoesNotGrowWithTheFile() async throws {
        let small = try await peak(fetching: 4 << 20)
        let large = try await peak(fetching: 64 << 20)
        #expect(large - small < 8 << 10)
    }
}
