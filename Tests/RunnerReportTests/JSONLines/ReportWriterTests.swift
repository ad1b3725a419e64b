import Glibc
import RunnerExecution
import RunnerJob
import RunnerReport
import Synchronization
import TestSupport
import Testing

@Suite("Writing a report")
struct ReportWriterTests {
    private func content(of path: String) -> String { DiskFile.text(path) ?? "<none>" }

    private func lines(of path: String) -> Int { content(of: path).filter { $0 == "\n" }.count }

    @Test func linesWaitTogetherUntilTheyAreFlushed() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/new/deep/report.jsonl"
        let writer = ReportWriter(ReportEncoder(run: "r"), to: [try ReportSink.file(path)])
        writer.write(Samples.all[0])
        #expect(lines(of: path) == 1)
        #expect(writer.pendingSince == nil)
        writer.write(event(Samples.all[1].kind, after: 5))
        writer.write(event(Samples.all[3].kind, after: 9))
        #expect(lines(of: path) == 1)
        #expect(writer.pendingSince == moment + 5)
        writer.flush()
        #expect(lines(of: path) == 3)
        #expect(writer.pendingSince == nil)
        writer.write(Samples.all[8])
        writer.write(Samples.all[10])
        #expect(lines(of: path) == 5)
        #expect(content(of: path).hasSuffix("}\n"))
        #expect(writer.failures.isEmpty)
    }

    @Test func manyLinesDoNotWait() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/report.jsonl"
        let writer = ReportWriter(ReportEncoder(run: "r"), to: [try ReportSink.file(path)])
        for _ in 0..<300 { writer.write(Samples.all[8]) }
        #expect(lines(of: path) > 50)
    }

    @Test func anExistingReportIsReplaced() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/report.jsonl"
        for _ in 0..<2 {
            let writer = ReportWriter(ReportEncoder(run: "r"), to: [try ReportSink.file(path)])
            writer.write(Samples.all[0])
        }
        #expect(lines(of: path) == 1)
    }

    @Test func progressIsWrittenOnlyWhenAskedFor() throws {
        let folder = try TemporaryDirectory()
        for (included, expected) in [(false, 0), (true, 1)] {
            let path = folder.path + "/\(included).jsonl"
            let sink = try ReportSink.file(path)
            let writer = ReportWriter(ReportEncoder(run: "r"), to: [sink], includesProgress: included)
            writer.write(Samples.all[6])
            writer.flush()
            #expect(lines(of: path) == expected)
        }
    }

    /// Ten events a second are for a screen; a report has one, with the rate since the one before.
    @Test func progressOfATaskIsToldOnceASecond() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/report.jsonl"
        let sink = try ReportSink.file(path)
        let writer = ReportWriter(ReportEncoder(run: "r"), to: [sink], includesProgress: true)
        for (task, time, bytes) in [("a", 0, 0), ("a", 900, 5), ("b", 950, 7), ("a", 1250, 5000), ("a", 2250, 10)] {
            let progress = TaskProgress(task: ExactText(task), bytes: Int64(bytes), total: nil, rate: nil)
            writer.write(event(.taskProgress(progress), after: Int64(time)))
        }
        writer.flush()
        let lines = content(of: path).split(separator: "\n").map { $0.split(separator: "task.progress\",").last ?? "" }
        #expect(
            lines == [
                "\"task\":\"a\",\"bytes\":0}", "\"task\":\"b\",\"bytes\":7}",
                "\"task\":\"a\",\"bytes\":5000,\"rate\":4000}", "\"task\":\"a\",\"bytes\":10}",
            ])
    }

    @Test func aSinkThatFailsIsLeftOutAndTheOthersGoOn() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/report.jsonl"
        // /dev/full answers every write with ENOSPC (full(4)).
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let writer = ReportWriter(
            ReportEncoder(run: "r"), to: [ReportSink(name: "full", borrowing: full), try ReportSink.file(path)])
        writer.write(Samples.all[0])
        writer.write(Samples.all[10])
        #expect(lines(of: path) == 2)
        #expect(writer.failures == [ReportSinkError(subject: "full", errno: ENOSPC)])
        #expect(writer.failures.first?.cause == "No space left on device")
    }

    @Test func aFullPipeIsWaitedFor() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let (reader, writeEnd) = (ends[0], ends[1])
        defer { close(reader) }
        // Fill the pipe; a thread reads until the report's line has come.
        var block = [UInt8](repeating: 0x20, count: 4096)
        while Glibc.write(writeEnd, &block, block.count) > 0 {}
        let received = Received()
        let thread = try NativeThread {
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, -1) == 1 else { return }
                let count = read(reader, &chunk, chunk.count)
                guard count > 0 else { return }
                received.bytes.withLock { $0 += chunk[..<count] }
            }
        }
        let writer = ReportWriter(ReportEncoder(run: "r"), to: [ReportSink(name: "pipe", borrowing: writeEnd)])
        writer.write(Samples.all[0])
        close(writeEnd)
        thread.join()
        #expect(writer.failures.isEmpty)
        #expect(received.bytes.withLock { String(decoding: $0, as: UTF8.self) }.hasSuffix("}\n"))
    }

    @Test func whatCannotBeOpenedIsTold() {
        #expect(throws: ReportSinkError(subject: "/dev/null/x/report.jsonl", errno: ENOTDIR)) {
            try ReportSink.file("/dev/null/x/report.jsonl")
        }
        #expect(throws: ReportSinkError(subject: "/proc/no-folder", errno: ENOENT)) {
            try ReportSink.file("/proc/no-folder/report.jsonl")
        }
        #expect(throws: ReportSinkError(subject: "/", errno: EISDIR)) { try ReportSink.file("/") }
    }
}

/// What a thread has read; a mutex alone cannot be shared by a closure that escapes.
private final class Received: Sendable {
    let bytes = Mutex<[UInt8]>([])
}
