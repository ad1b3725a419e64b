import RunnerTransfer
import TestSupport
import Testing

@Suite struct BackPressureTests {
    /// A disk that does not keep up holds the network back, instead of filling the memory.
    @Test func aSlowDiskHoldsTheServerBack() async throws {
        let content = Content.pattern(count: 64 << 20)
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let folder = try TemporaryDirectory()
        let bench = try TransferBench()
        let gate = try BlockingGate()
        let busy = Lane(on: bench.workers)
        busy.submit { gate.wait() }
        async let ending = bench.fetch(server.url("/a"), to: "a", in: folder.path)
        // Without a disk the file cannot come; what the sockets and the queue take is far less than all of it.
        let requests = await server.waitForRequests(for: .seconds(1)) { $0.contains { $0.sent == content.count } }
        #expect(requests.count == 1)
        #expect(requests.allSatisfy { $0.sent < 24 << 20 })
        gate.open()
        #expect(try await ending == .succeeded)
        #expect(folder.read("a") == content.allBytes)
    }
}
