import Glibc
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@testable import RunnerStorage

@Suite struct SettledRecordTests {
    let folder: TemporaryDirectory
    let state: StateFolder

    init() throws {
        folder = try TemporaryDirectory()
        state = StateFolder(path: folder.path + "/.runner")
    }

    private func record(_ files: SettledFiles = SettledFiles(), report: String? = nil) -> SettledRecord {
        SettledRecord(
            key: [1, 2, 0xFF], variables: ["A", ""], inputs: ["/ö", "/b"], job: "näme", file: "job.yaml",
            fileSHA256: "ab", directory: folder.path, report: report, concurrency: 8, perHost: 4, tasks: 2,
            bytes: 1 << 40, files: files, lines: Array("\"a\":1}\n\"b\":2}\n".utf8)[...])
    }

    @Test(arguments: [nil, "/r.jsonl"]) func isReadAsItWasWritten(report: String?) throws {
        var files = SettledFiles()
        files.add(TargetPath(normalized: "a/b"), FileState(kind: .file, size: 3, modified: -1, changed: 2, inode: .max))
        let written = record(files, report: report)
        try written.save(job: "job", in: state)
        let read = try #require(SettledRecord.load(job: "job", from: state))
        #expect(read.key == written.key)
        #expect(read.variables == written.variables && read.inputs == written.inputs)
        #expect(read.boot == BootID.current && read.job == "näme" && read.file == "job.yaml" && read.fileSHA256 == "ab")
        #expect(read.directory == folder.path && read.report == report)
        #expect(read.concurrency == 8 && read.perHost == 4 && read.tasks == 2 && read.bytes == 1 << 40)
        #expect(read.files.packed.elementsEqual(files.packed))
        #expect(read.lines.elementsEqual(written.lines))
        #expect(SettledRecord.load(job: "other", from: state) == nil)
    }

    @Test func whatIsNoRecordIsNone() throws {
        try record(report: "/r").save(job: "job", in: state)
        let name = ".runner/" + (try SettledRecord.name(ofJob: "job"))
        let whole = try #require(folder.read(name))
        for count in whole.indices {
            try folder.write(name, Array(whole[..<count]))
            #expect(SettledRecord.load(job: "job", from: state) == nil, "\(count) bytes")
        }
        try folder.write(name, whole + [0])
        #expect(SettledRecord.load(job: "job", from: state) == nil)
        for position in whole.indices {
            var changed = whole
            changed[position] ^= 0x41
            try folder.write(name, changed)
            #expect(SettledRecord.load(job: "job", from: state) == nil, "byte \(position)")
        }
    }

    @Test func filesAreInPlaceAsLongAsNothingOfThemChanges() throws {
        let directory = JobDirectory(root: folder.path)
        try folder.write("a/one", "1")
        try folder.write("a/two", "22")
        try folder.write("three", "333")
        let paths = ["a/one", "a/two", "three", folder.path + "/a/two"].map { TargetPath(normalized: $0) }
        let states = try paths.map { try #require(directory.state(of: $0)) }
        func holds(_ states: [FileState]) -> Bool {
            var files = SettledFiles()
            for (path, state) in zip(paths, states) { files.add(path, state) }
            return directory.holds(files)
        }
        #expect(holds(states))
        let changes: [WritableKeyPath<FileState, Int64>] = [\.size, \.modified, \.changed]
        for index in states.indices {
            for change in changes {
                var other = states
                other[index][keyPath: change] += 1
                #expect(!holds(other))
            }
            var other = states
            other[index].inode += 1
            #expect(!holds(other))
        }
        unlink(folder.path("three"))
        #expect(!JobDirectory(root: folder.path).holds(SettledFiles([(paths[2], states[2])])))
        #expect(!JobDirectory(root: folder.path + "/none").holds(SettledFiles([(paths[0], states[0])])))
        #expect(directory.holds(SettledFiles()))
    }

    @Test(arguments: [0, 1, 2, 256, 257, 1000, 5000]) func halvesAreTheWhole(count: Int) throws {
        var files = SettledFiles()
        for number in 0..<count {
            files.add(
                TargetPath(normalized: "d\(number / 700)/f\(number)"), FileState(kind: .file, size: Int64(number)))
        }
        let (first, second) = files.halves
        #expect((first.packed + second.packed).elementsEqual(files.packed))
        // Either can be looked at without the other, and neither is much longer where there are many.
        var reader = RecordReader(second.packed)
        #expect(second.packed.isEmpty || reader.text()?.isEmpty == false)
        #expect(count < 1000 || abs(first.packed.count - second.packed.count) < files.packed.count / 2)
        #expect(count < 1000 || !second.packed.isEmpty)
    }
}

extension SettledFiles {
    fileprivate init(_ files: [(TargetPath, FileState)]) {
        self.init()
        for (path, state) in files { add(path, state) }
    }
}
