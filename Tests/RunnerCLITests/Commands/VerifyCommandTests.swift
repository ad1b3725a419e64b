import TestSupport
import Testing

/// `runner verify`, by the built program and without a server.
@Suite struct VerifyCommandTests {
    let folder: TemporaryDirectory
    let good = Content.text("good")

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write("out/good", good.allBytes)
        try folder.write("out/plain", Array("plain".utf8))
    }

    private func write(_ tasks: String...) throws {
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ntasks:\n" + tasks.map { "  - \($0)\n" }.joined())
    }

    private func verify(_ words: String...) async throws -> RunnerBinary.Outcome {
        let before = folder.files()
        let outcome = try await RunnerBinary.run(["verify", "job.yaml"] + words, in: folder.path)
        #expect(folder.files() == before)
        return outcome
    }

    private func task(_ name: String, _ fields: String = "") -> String {
        "{download: \"http://127.0.0.1:1/\(name)\", to: \(name)\(fields)}"
    }

    @Test func aFileThatFitsIsOkAndOneThatNobodyKnowsIsUnverified() async throws {
        try write(task("good", ", sha256: \(good.sha256)"), task("plain"))
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                ok           good   sha256 as in job
                unverified   plain  no digest is known
                2 files: 1 ok, 1 unverified

                """)
    }

    @Test func whatDiffersOrIsMissingGivesStatusFive() async throws {
        let wrong = String(repeating: "0", count: 64)
        try write(task("good", ", sha256: \(wrong)"), task("none"), task("other", ", optional: true"))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("differs      good   the sha256 digest is \(good.sha256), wanted is \(wrong)"))
        #expect(outcome.output.contains("missing      none\n"))
        #expect(outcome.output.contains("missing      other  optional\n"))
        let quiet = try await verify("--quiet")
        #expect(quiet.output.split(separator: "\n").count == 2)
        try write(task("other", ", optional: true"))
        #expect(try await verify().status == 0)
    }

    @Test func sizeAndLooksCountToo() async throws {
        try write(task("plain", ", size: 6"), task("good", ", expect: {type: zip}"))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("5 bytes came, the job says size: 6") || outcome.output.contains("size"))
        #expect(outcome.output.contains("wanted is zip"))
    }

    @Test func theLockFileIsAWitness() async throws {
        try write(task("good"), task("plain"))
        func lock(_ path: String, _ content: Content, size: Int) -> String {
            "  - to: \(path)\n    sha256: \(content.sha256)\n    size: \(size)\n    url: u\n    date: d\n"
        }
        try folder.write(
            "job.lock",
            "version: 1\ndownloads:\n" + lock("good", good, size: 4) + lock("plain", .text("other"), size: 7))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("ok           good   sha256 as in lock"))
        #expect(outcome.output.contains("differs      plain"))
        try folder.write("job.lock", "version: 9\n")
        #expect(try await verify().status == 2)
    }

    @Test func aListOnTheDiskIsAWitness() async throws {
        try folder.write("out/SUMS", "\(good.sha256)  good\n")
        try write(task("good", ", digest: {file: SUMS}"), task("plain", ", digest: {file: SUMS}"))
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("ok           good   sha256 as in list"))
        #expect(outcome.output.contains("unverified   plain"))
    }

    @Test func programsGetOneObject() async throws {
        let wrong = String(repeating: "0", count: 64)
        try write(task("good", ", sha256: \(wrong)"), task("plain"), task("none"))
        let outcome = try await verify("--format", "json")
        #expect(outcome.status == 5)
        #expect(
            outcome.output.hasPrefix(
                "{\"schema\":\"runner.verify/1\",\"job\":\"job\",\"file\":\"job.yaml\",\"files\":["))
        #expect(
            outcome.output.contains(
                "\"differences\":[{\"name\":\"sha256\",\"wanted\":\"\(wrong)\",\"found\":\"\(good.sha256)\"}]"))
        #expect(
            outcome.output.hasSuffix(
                "\"counts\":{\"ok\":0,\"unverified\":1,\"differs\":1,\"missing\":1,\"unreadable\":0}}\n"))
    }
}
