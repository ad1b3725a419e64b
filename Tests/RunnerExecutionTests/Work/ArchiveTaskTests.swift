import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@Suite("Extract and archive tasks")
struct ArchiveTaskTests {
    private static let chain = """
          - {archive: src/, to: a.tar.gz, strip: 1}
          - {extract: a.tar.gz, to: tree/}
          - {check: tree/b/f, size: 2}
        """

    private func bench() throws -> JobBench {
        let bench = try JobBench()
        _ = try bench.folder.write("src/b/f", "hi")
        _ = try bench.folder.write("src/g", "there")
        return bench
    }

    @Test func eachWaitsForWhatItReads() async throws {
        let bench = try bench()
        let outcome = try await bench.run(Self.chain)
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.files == ["a.tar.gz", "src/b/f", "src/g", "tree/b/f", "tree/g"])
        let archive = try #require(outcome.task("a.tar.gz")), tree = try #require(outcome.task("tree/"))
        #expect(archive.kind == .archive && archive.to == "a.tar.gz")
        #expect(archive.bytes == Int64(bench.bytes("a.tar.gz")?.count ?? 0))
        #expect(archive.digest?.algorithm == .sha256)
        #expect(tree.kind == .extract && tree.to == "tree/" && tree.bytes == 7)
    }

    @Test func whatHasNotChangedIsNotDoneAgain() async throws {
        let bench = try bench()
        _ = try await bench.run(Self.chain)
        #expect(try bench.plan(Self.chain).tasks.map(\.verdict) == [.upToDate, .upToDate, .upToDate])
        // Another tree is put back, another archive is unpacked anew.
        _ = try bench.folder.write("tree/g", "changed")
        #expect(try await bench.run(Self.chain).task("tree/")?.outcome == .succeeded)
        #expect(bench.bytes("tree/g") == Array("there".utf8))
        _ = try bench.folder.write("src/h", "more")
        let outcome = try await bench.run(Self.chain)
        #expect(outcome.task("a.tar.gz")?.outcome == .succeeded)
        #expect(bench.files.contains("tree/h"))
        #expect(outcome.finished.exitStatus == 0)
    }

    @Test func replacingWhatWasMergedIsWork() async throws {
        let bench = try bench()
        _ = try bench.folder.write("tree/mine", "x")
        let merge = Self.chain.replacing("to: tree/", with: "to: tree/, exists: merge")
        #expect(try await bench.run(merge).finished.exitStatus == 0)
        #expect(bench.files.contains("tree/mine"))
        let replace = Self.chain.replacing("to: tree/", with: "to: tree/, exists: replace")
        #expect(try await bench.run(replace).task("tree/")?.outcome == .succeeded)
        #expect(!bench.files.contains("tree/mine"))
    }

    /// Ten megabytes that cannot be compressed.
    private static let noise: [UInt8] = {
        var dice = SeededDice(7)
        return [UInt8](unsafeUninitializedCapacity: 10 << 20) { buffer, count in
            for _ in 0..<buffer.count / 4 {
                let word = UInt32(dice.below(1 << 32))
                for shift in [0, 8, 16, 24] as [UInt32] {
                    buffer[count] = UInt8(truncatingIfNeeded: word >> shift)
                    count += 1
                }
            }
        }
    }()

    /// Compressors gather what they are given, and most of their work is done in one call at the end.
    @Test(.serialized, arguments: ["tar.xz", "tar.zst", "7z"])
    func aStopIsObeyedWhateverTheCompressorIsAt(format: String) async throws {
        let bench = try JobBench()
        _ = try bench.folder.write("src/noise", Self.noise)
        _ = try bench.folder.write("a.\(format)", "old")
        let times = EventLog<ContinuousClock.Instant>()
        let outcome = try await bench.run(
            "  - {archive: src/, to: a.\(format), level: \(format == "tar.zst" ? 19 : 9)}",
            configure: { $0.wantsProgress = true },
            observe: { event, run in
                switch event.kind {
                case .taskProgress(let progress) where progress.bytes > 0 && times.elements.isEmpty:
                    times.append(.now)
                    run.stop(.interrupted)
                case .runFinished: times.append(.now)
                default: break
                }
            })
        let stopped = try #require(times.elements.first), ended = try #require(times.elements.last)
        #expect(ended - stopped < .seconds(2))
        #expect(outcome.finished.exitStatus == 130)
        #expect(outcome.task("a.\(format)")?.outcome == .cancelled)
        #expect(bench.files == ["a.\(format)", "src/noise"])
        #expect(bench.bytes("a.\(format)") == Array("old".utf8))
    }

    @Test func aFailureSaysWhatToDo() async throws {
        let bench = try bench()
        _ = try bench.folder.write("page.zip", "<html>")
        _ = try bench.folder.write("mine/f", "x")
        _ = try bench.folder.write("b/g", "other")
        let outcome = try await bench.run(
            """
              - {archive: src/, to: a.tar}
              - {extract: a.tar, to: few/, limits: {entries: 1}}
              - {extract: page.zip, to: page/}
              - {extract: a.tar, to: mine/}
              - {archive: [src/g, b/g], to: g.zip, strip: 1}
            """)
        #expect(outcome.finished.exitStatus == 1)
        let few = try #require(outcome.task("few/")?.failure)
        #expect(few.faultClass == .tooLarge && few.message == "a.tar has more than 1 entries")
        #expect(few.advice == "if the archive is to be trusted, raise limits: {entries: …} of the task")
        let page = try #require(outcome.task("page/")?.failure)
        #expect(page.faultClass == .archive)
        #expect(page.message == "page.zip is no archive of a known format (unrecognized archive format)")
        let mine = try #require(outcome.task("mine/")?.failure)
        #expect(mine.faultClass == .disk && mine.message == "mine is there already, and was not made by this task")
        #expect(outcome.task("g.zip")?.failure?.faultClass == .input)
        #expect(bench.files == ["a.tar", "b/g", "mine/f", "page.zip", "src/b/f", "src/g"])
    }

    @Test func passwordsAreToldToNobody() async throws {
        let bench = try bench()
        let outcome = try await bench.run(
            """
              - {archive: src/, to: a.zip, password: correct-horse}
              - {extract: a.zip, to: tree/, password: battery-staple}
            """)
        #expect(outcome.task("tree/")?.failure?.message == "a.zip: the password does not open `src/b/f`")
        for file in bench.folder.files() where file.hasPrefix(".runner/") {
            let text = String(decoding: bench.folder.read(file) ?? [], as: UTF8.self)
            #expect(!text.contains("correct-horse") && !text.contains("battery-staple"), "\(file)")
        }
        #expect(!"\(outcome.events)".contains("correct-horse"))
    }

    @Test func aRunThatIsStoppedLeavesNothingHalfDone() async throws {
        let bench = try bench()
        _ = try await bench.run("  - {archive: src/, to: a.tar}")
        let outcome = try await bench.run(
            "  - {archive: src/, to: a.tar}\n  - {extract: a.tar, to: tree/}",
            observe: { event, run in
                if case .taskStarted = event.kind { run.stop(.terminated) }
            })
        #expect(outcome.task("tree/")?.outcome != .failed)
        #expect(bench.files.allSatisfy { !$0.hasSuffix(".part") && !$0.contains(".part/") })
    }
}
