import TestSupport
import Testing

/// HTTP/2 over TLS, whose connections break off anywhere: in the handshake, in a frame, between two.
@Suite("HTTP/2 that is cut off")
struct CutHTTP2Tests {
    private let server: RealServer
    private let folder: TemporaryDirectory

    init() throws {
        server = try RealServer()
        folder = try TemporaryDirectory()
    }

    @Test(arguments: CutRelay.Way.allCases) func aSampleOfPlaces(_ way: CutRelay.Way) async throws {
        try await fetch(count: 24, of: 64 << 10, way, place: "cut-\(way)")
    }

    @Test(.enabled(if: Soak.isWanted), arguments: CutRelay.Way.allCases)
    func fiveHundredPlaces(_ way: CutRelay.Way) async throws {
        try await fetch(count: 500, of: 64 << 10, way, place: "cuts-\(way)")
    }

    @Test(.enabled(if: Soak.isWanted), arguments: CutRelay.Way.allCases)
    func largeFiles(_ way: CutRelay.Way) async throws {
        try await fetch(count: 50, of: 5 << 20, way, place: "large-cuts-\(way)")
    }

    /// Fetches files over connections that each let through one and a half of them at the most.
    private func fetch(count: Int, of size: Int, _ way: CutRelay.Way, place: String) async throws {
        let files = (0..<count).map { (name: "\($0)", content: Content.pattern(count: size, seed: UInt64($0))) }
        try server.publish(files, in: place)
        let upstream = try #require(server.https.split(separator: ":").last.flatMap { Int($0) })
        let relay = try CutRelay(to: upstream, way: way, limit: size * 3 / 2, seed: UInt64(count))
        let tasks = files.map {
            "  - {download: 'https://localhost:\(relay.port)/\(place)/\($0.name)', to: '\($0.name)'}"
        }
        try folder.write(
            "job.yaml",
            """
            version: 1
            directory: out
            limits: {concurrency: \(count < 100 ? 4 : 16)}
            defaults:
              tls: {ca: \(server.authority)}
              http_version: "2"
              retry: {attempts: 20, first: 1ms, max: 5ms}
              timeout: \(way == .stall ? "{connect: 1s, stall: 1s}" : "{connect: 20s, stall: 20s}")
            tasks:
            \(tasks.joined(separator: "\n"))
            """)
        let outcome = try await RunnerBinary.run(
            ["run", "job.yaml", "--report", "report.jsonl"], in: folder.path, for: .seconds(900))
        #expect(outcome.status == 0, "\(outcome.errorOutput.suffix(2000))")
        let wrong = files.filter { folder.read("out/\($0.name)") != $0.content.allBytes }.map(\.name)
        #expect(wrong == [])
        // 499 is what nginx writes of a client that has gone before its reply began.
        #expect(
            server.requests(in: place).allSatisfy { $0.hasPrefix("HTTP/2.0 20") || $0.hasPrefix("HTTP/2.0 499") })
        look(at: (DiskFile.text(folder.path("report.jsonl")) ?? "").split(separator: "\n"))
    }

    /// Every request but the first of a file begins where the one before it was broken off.
    private func look(at report: [Substring]) {
        var next: [Substring: Int] = [:]
        var failures = 0
        for line in report {
            guard let task = line.firstMatch(of: #/"task":"(\d+)"/#)?.1 else { continue }
            let start = Self.number("resumed_from", in: line)
            if line.contains("\"attempt.started\"") {
                #expect(start == next[task, default: 0], "\(task)")
            } else if line.contains("\"attempt.failed\"") {
                failures += 1
                next[task] = start + Self.number("bytes", in: line)
            }
        }
        #expect(failures > next.count / 2)
        #expect(!next.isEmpty)
    }

    private static func number(_ key: String, in line: Substring) -> Int {
        guard let range = line.firstRange(of: "\"\(key)\":") else { return 0 }
        return Int(line[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }
}
