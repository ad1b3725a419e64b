import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Bodies that are broken off at many places, each in its own way, and fetched to their end.
struct CutMatrix {
    /// How a body is broken off.
    enum Way: String, CaseIterable, Sendable {
        case close, reset, stall, tls, chunked
    }

    let way: Way
    let content: Content
    /// Each is a task: its first reply ends after so many bytes.
    let offsets: [Int]

    /// So many places from 0 to all but one byte, the first and the last of them included.
    static func offsets(_ count: Int, below size: Int, seed: UInt64) -> [Int] {
        var dice = SeededDice(seed)
        return [0, 1, size - 1] + (3..<max(3, count)).map { _ in dice.below(size) }
    }

    /// Fetches all of them in one job and looks at the files and at what was asked for.
    func run() async throws {
        let bench = try JobBench()
        let server = try FaultServer(tls: way == .tls ? .valid : nil)
        let authority = try TestCertificate.authorityPath
        var tasks: [String] = []
        for (number, offset) in offsets.enumerated() {
            let path = "/\(number)/a"
            server.serve(path, ServedFile(content, etag: "\"v1\""))
            server.on(path, from: 1, through: 1, steps(offset))
            tasks.append("  - {id: t\(number), download: '\(server.url(path))', to: t\(number)}")
        }
        let defaults = """
            defaults:
              retry: {attempts: 4, first: 1ms, max: 5ms}
              timeout: {connect: 20s, stall: \(way == .stall ? "1s" : "20s")}

            """
        let outcome = try await bench.run(
            tasks.joined(separator: "\n"), defaults: defaults, top: "limits: {concurrency: 16, per_host: 16}",
            configure: { $0.environment = ["SSL_CERT_FILE": authority] })
        #expect(outcome.finished.exitStatus == 0)
        for (number, offset) in offsets.enumerated() {
            let isWhole = bench.bytes("t\(number)") == content.allBytes
            #expect(isWhole, "\(way) after \(offset)")
            look(at: server.requests(to: "/\(number)/"), offset)
        }
    }

    private func steps(_ offset: Int) -> [Step] {
        switch way {
        case .close, .tls: [.cut(after: offset)]
        case .reset: [.cut(after: offset, by: .reset)]
        case .stall: [.stall(after: offset)]
        case .chunked: [.chunked(), .cut(after: offset)]
        }
    }

    /// Two requests, and the second begins where the first ended.
    private func look(at requests: [RecordedRequest], _ offset: Int) {
        #expect(requests.count == 2, "\(way) after \(offset)")
        guard let range = requests.last?.header("Range") else {
            // A reset may take with it all that was under way.
            #expect(offset == 0 || way == .reset, "\(way) after \(offset)")
            return
        }
        let start = Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }) ?? -1
        if way == .reset {
            #expect(start > 0 && start <= offset, "\(way) after \(offset)")
        } else {
            #expect(start == offset, "\(way) after \(offset)")
        }
    }
}
