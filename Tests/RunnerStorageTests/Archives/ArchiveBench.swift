import Glibc
import LibArchive
import RunnerJob
import TestSupport

@testable import RunnerStorage

/// A job's directory in which archives are unpacked and made.
final class ArchiveBench {
    let disk: Disk
    let claims: TreeClaims
    /// The job's directory, open.
    let root: Int32

    init() throws {
        disk = try Disk()
        mkdir(disk.directory.root, 0o777)
        root = open(disk.directory.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        claims = TreeClaims(folder: StateFolder(path: disk.folder.path("state")), job: "job")
    }

    deinit {
        close(root)
    }

    func path(_ name: String) -> String { disk.directory.root + "/" + name }

    /// Writes an archive entry by entry.
    func archive(
        _ name: String, _ entries: [Member], format: ArchiveWriter.Format = .tar, filter: ArchiveWriter.Filter? = nil,
        options: [(String, String)] = []
    ) throws {
        let output = CollectedOutput()
        let writer = try ArchiveWriter(output, format: format, filter: filter)
        for (key, value) in options { try writer.setFormatOption(key, value) }
        try writer.open()
        for entry in entries {
            try writer.begin(entry.entry)
            try entry.content.withUnsafeBytes { try writer.write($0) }
        }
        try writer.close()
        try DiskFile.write(path(name), output.bytes)
    }

    /// Compresses one file, without an archive in it.
    @discardableResult
    func compressed(
        _ name: String, _ text: String, _ filter: ArchiveWriter.Filter, raw: [UInt8]? = nil
    ) throws -> [UInt8] {
        let output = CollectedOutput()
        let writer = try ArchiveWriter(output, format: .raw, filter: filter)
        try writer.open()
        let member = Member.file(Array("x".utf8), raw ?? Array(text.utf8))
        try writer.begin(member.entry)
        try member.content.withUnsafeBytes { try writer.write($0) }
        try writer.close()
        try DiskFile.write(path(name), output.bytes)
        return output.bytes
    }

    func extraction(_ name: String, to target: String = "tree") -> Extraction {
        Extraction(archive: at(name), at: Place(line: 1, column: 1), to: at(target))
    }

    @discardableResult
    func extract(
        _ name: String, to target: String = "tree", _ change: (inout Extraction) -> Void = { _ in }
    ) throws(ExtractionError) -> Int64 {
        var extraction = extraction(name, to: target)
        change(&extraction)
        return try TreeExtraction(extraction, directory: disk.directory, identity: "job", claims: claims)
            .run(progress: { _, _ in }, isCancelled: { false })
    }

    /// What an extraction fails by; nil when it does not.
    func failure(
        _ name: String, to target: String = "tree", _ change: (inout Extraction) -> Void = { _ in }
    ) -> ExtractionError? {
        do throws(ExtractionError) {
            try extract(name, to: target, change)
            return nil
        } catch {
            return error
        }
    }

    /// Everything below a folder: names with the text of files, `/` behind folders, `-> target` for links.
    func tree(_ folder: String = "tree") -> [String: String] {
        var found: [String: String] = [:]
        var pending = [""]
        while let here = pending.popLast() {
            for name in DiskFile.entries(path(folder) + here) {
                let full = here + "/" + name
                var status = stat()
                lstat(path(folder) + full, &status)
                let key = String(full.dropFirst())
                switch status.st_mode & S_IFMT {
                case S_IFDIR:
                    found[key + "/"] = ""
                    pending.append(full)
                case S_IFLNK: found[key] = "-> " + target(path(folder) + full)
                default: found[key] = DiskFile.text(path(folder) + full) ?? ""
                }
            }
        }
        return found
    }

    private func target(_ path: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func mode(_ name: String) -> Int {
        var status = stat()
        lstat(path(name), &status)
        return Int(status.st_mode & 0o7777)
    }
}

/// An entry of an archive that a test makes.
struct Member {
    var entry: ArchiveEntry
    var content: [UInt8] = []

    static func file(_ name: String, _ text: String, mode: UInt16 = 0o644) -> Self {
        file(Array(name.utf8), Array(text.utf8), mode: mode)
    }

    static func file(_ name: [UInt8], _ content: [UInt8], mode: UInt16 = 0o644) -> Self {
        Self(
            entry: ArchiveEntry(
                name: name, kind: .file, size: Int64(content.count), mode: mode, modified: .init(seconds: 1_000_000)),
            content: content)
    }

    static func folder(_ name: String, mode: UInt16 = 0o755) -> Self {
        Self(
            entry: ArchiveEntry(
                name: Array(name.utf8), kind: .folder, mode: mode, modified: .init(seconds: 2_000_000)))
    }

    static func link(_ name: String, _ target: String) -> Self {
        Self(entry: ArchiveEntry(name: Array(name.utf8), kind: .link(Array(target.utf8)), mode: 0o777))
    }

    static func hardLink(_ name: String, _ target: String) -> Self {
        Self(entry: ArchiveEntry(name: Array(name.utf8), kind: .hardLink(Array(target.utf8)), mode: 0o644))
    }
}

/// Keeps what an archive consists of.
final class CollectedOutput: ArchiveOutput {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: UnsafeRawBufferPointer) {
        self.bytes += bytes
    }
}
