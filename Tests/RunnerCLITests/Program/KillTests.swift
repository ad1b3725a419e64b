import Glibc
import TestSupport
import Testing

/// Runs that are killed at random moments, each followed by one that completes.
@Suite(.serialized) struct KillTests {
    let folder: TemporaryDirectory
    let server: FaultServer
    /// Contents by name; the last two are those of dependent tasks.
    let contents: [(name: String, content: Content)]
    /// The bytes of each, made once: that takes longer than to compare them.
    private let bytes: [[UInt8]]

    private static let largest = Soak.isWanted ? 40 << 20 : 2 << 20
    private static let rounds = Soak.isWanted ? 300 : 30

    init() throws {
        folder = try TemporaryDirectory()
        var dice = SeededDice(60)
        let patterns = (0..<60).map { number -> Content in
            // Most are small, some are as large as they may be.
            let size: Int =
                switch number % 10 {
                case 0: 0
                case 1...6: 1 + dice.below(100_000)
                case 7, 8: 100_000 + dice.below(900_000)
                default: Self.largest / 2 + dice.below(Self.largest / 2)
                }
            return .pattern(count: size, seed: UInt64(number + 1))
        }
        bytes = patterns.map(\.allBytes)
        contents = bytes.enumerated().map { ("f\($0)", .bytes($1)) }
        var files: [String: ServedFile] = [:]
        for (name, content) in contents { files["/" + name] = ServedFile(content, etag: "\"\(name)\"") }
        server = try FaultServer(files: files)
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ntasks:\n"
                + contents.enumerated().map { number, file in
                    let digest = number % 4 < 2 ? ", sha256: \(file.content.sha256)" : ""
                    let needs = number >= 58 ? ", needs: [d0/f9, d1/f19]" : ""
                    return
                        "  - {download: \"\(server.url("/" + file.name))\", to: d\(number % 3)/\(file.name)\(digest)\(needs)}\n"
                }.joined())
    }

    private func path(_ number: Int) -> String { "out/d\(number % 3)/\(contents[number].name)" }

    /// Bytes of each file that lie in a part with a state, so that the next run must go on from there.
    private func parts() -> [String: Int] {
        var parts: [String: Int] = [:]
        let states = folder.files().filter { $0.hasPrefix("out/.runner/parts/") && $0.hasSuffix(".json") }
        for name in states {
            let text = String(decoding: folder.read(name) ?? [], as: UTF8.self)
            guard let file = text.firstMatch(of: #/"path":"(d\d\/(f\d+))"/#) else { continue }
            let part = folder.files().first {
                $0.hasPrefix("out/\(file.1.prefix(3)).\(file.2).") && $0.hasSuffix(".part")
            }
            parts[String(file.2)] = part.flatMap { folder.read($0)?.count }
        }
        return parts
    }

    /// What lies under a final name is whole, whenever one looks.
    private func checkFinalNames(areAllThere: Bool) {
        for (number, file) in contents.enumerated() {
            guard let found = folder.read(path(number)) else {
                #expect(!areAllThere, "\(file.name) is missing")
                continue
            }
            #expect(Self.isSame(found, bytes[number]), "\(file.name) is not what it should be")
        }
    }

    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                guard let first = one.baseAddress, let second = other.baseAddress else { return true }
                return memcmp(first, second, one.count) == 0
            }
        }
    }

    private func clear() {
        for name in folder.files() where name.hasPrefix("out/") { unlink(folder.path(name)) }
    }

    @Test(.timeLimit(.minutes(60))) func aKilledRunIsGoneOnWith() async throws {
        var dice = SeededDice(Soak.isWanted ? UInt64.random(in: 0 ... .max) : 7)
        for round in 0..<Self.rounds {
            clear()
            let before = server.requests.count
            let process = try RunnerBinary.start(["run", "job.yaml", "--quiet"], in: folder.path)
            // The moment is told by how many requests have come, and by what the last of them stops at.
            let count = 1 + dice.below(contents.count)
            _ = await server.waitForRequests { $0.count - before >= count }
            process.signal(SIGKILL)
            _ = await process.wait()
            _ = await server.waitUntilIdle()
            checkFinalNames(areAllThere: false)
            let parts = parts()
            let asked = server.requests.count
            let outcome = try await RunnerBinary.run(["run", "job.yaml"], in: folder.path)
            #expect(outcome.status == 0, "round \(round): \(outcome.errorOutput)")
            for (name, length) in parts where length > 0 {
                let ranges = server.requests.dropFirst(asked).filter { $0.target == "/" + name }.map {
                    $0.header("Range")
                }
                let isWhole = length == contents.first { $0.name == name }?.content.count
                #expect(isWhole || ranges == ["bytes=\(length)-"], "round \(round): \(name) at \(length): \(ranges)")
            }
            checkFinalNames(areAllThere: true)
            // A small file of the state may be left half-written; `clean` takes it away.
            let litter = folder.files().filter { name in
                name.hasSuffix(".part") || name.hasPrefix("out/.runner/parts/") && name.hasSuffix(".json")
                    || name.hasSuffix(".tmp") && !name.hasPrefix("out/.runner/")
            }
            #expect(litter.isEmpty, "round \(round): \(litter)")
            let verified = try await RunnerBinary.run(["verify", "job.yaml", "--quiet"], in: folder.path)
            #expect(verified.status == 0, "round \(round): \(verified.output)")
            let again = server.requests.count
            #expect(try await RunnerBinary.run(["run", "job.yaml", "--quiet"], in: folder.path).status == 0)
            // What has a digest is known; what has none is asked about, and has not changed.
            let repeated = server.requests.dropFirst(again)
            #expect(repeated.count == 30 && repeated.allSatisfy { $0.header("If-None-Match") != nil }, "round \(round)")
        }
    }
}
