import LibArchive
import Testing

@Suite("libarchive")
struct ArchiveRoundTripTests {
    private func archive(
        _ format: ArchiveWriter.Format, _ filter: ArchiveWriter.Filter? = nil, names: [[UInt8]],
        options: [(String, String)] = []
    ) throws -> [UInt8] {
        let output = Output()
        let writer = try ArchiveWriter(output, format: format, filter: filter)
        for (name, value) in options { try writer.setFormatOption(name, value) }
        try writer.open()
        for name in names {
            try writer.begin(ArchiveEntry(name: name, kind: .file, size: 3, mode: 0o640, modified: .init(seconds: 77)))
            try Array("abc".utf8).withUnsafeBytes { try writer.write($0) }
        }
        try writer.close()
        return output.bytes
    }

    private static let names = ["plain", "日本/é"].map { Array($0.utf8) }

    @Test(
        arguments: [
            (ArchiveWriter.Format.tar, nil, ArchiveFormat.tar), (.tar, .gzip, .tar), (.tar, .zstd, .tar),
            (.zip, nil, .zip),
            (.sevenZip, nil, .sevenZip),
        ] as [(ArchiveWriter.Format, ArchiveWriter.Filter?, ArchiveFormat)])
    func readsWhatItHasWritten(
        _ format: ArchiveWriter.Format, _ filter: ArchiveWriter.Filter?, _ found: ArchiveFormat
    ) throws {
        // Names that are not ASCII come through though the locale of the process is "C".
        let input = Input(try archive(format, filter, names: Self.names))
        let reader = try ArchiveReader(input, formats: [found], filters: [.gzip, .zstd])
        var seen: [[UInt8]] = []
        while let entry = try reader.next() {
            seen.append(entry.name)
            #expect(entry.kind == .file)
            #expect(entry.size == 3)
            #expect(entry.modified == .init(seconds: 77))
            var content: [UInt8] = []
            while let piece = try reader.readPiece() { content += piece.bytes }
            #expect(content == Array("abc".utf8))
        }
        #expect(seen == Self.names)
        #expect(reader.format == found)
        #expect(reader.layers == (filter == nil ? 0 : 1))
    }

    @Test func saysWhatIsWrong() throws {
        #expect {
            _ = try ArchiveReader(Input(Array("no archive".utf8)), formats: [.tar, .zip], filters: [])
        } throws: { error in
            guard case ArchiveError.failed("archive_read_open1", _, let text) = error else { return false }
            return text == "Unrecognized archive format"
        }
    }

    @Test func handsErrorsOfTheInputOn() throws {
        struct Broken: Error {}
        #expect {
            _ = try ArchiveReader(Input([], failure: Broken()), formats: [.tar], filters: [])
        } throws: { error in
            if case ArchiveError.stream(is Broken) = error { true } else { false }
        }
    }

    @Test func handsErrorsOfTheOutputOn() throws {
        struct Full: Error {}
        let writer = try ArchiveWriter(Output(failure: Full()), format: .tar, filter: nil)
        try writer.open()
        try writer.begin(ArchiveEntry(name: Array("a".utf8), kind: .file, size: 0, mode: 0o644))
        #expect {
            try writer.close()
        } throws: { error in
            if case ArchiveError.stream(is Full) = error { true } else { false }
        }
    }

    /// Under the address sanitizer this finds memory that is not freed.
    @Test func everythingIsFreedThatWasMade() throws {
        let bytes = try archive(.zip, names: Self.names)
        for _ in 0..<20 {
            _ = try ArchiveReader(Input(bytes), formats: [.zip], filters: [])
            _ = try ArchiveWriter(Output(), format: .sevenZip, filter: nil)
            _ = try? ArchiveReader(Input([1, 2, 3]), formats: [.zip], filters: [])
        }
    }
}

/// An archive in memory.
private final class Input: ArchiveInput {
    private let bytes: UnsafeMutableRawBufferPointer
    private let failure: (any Error)?
    private(set) var position: Int64 = 0

    init(_ bytes: [UInt8], failure: (any Error)? = nil) {
        self.bytes = .allocate(byteCount: max(1, bytes.count), alignment: 1)
        self.bytes.copyBytes(from: bytes)
        self.failure = failure
        seekableLength = Int64(bytes.count)
    }

    deinit {
        bytes.deallocate()
    }

    let seekableLength: Int64?

    func read() throws -> UnsafeRawBufferPointer {
        if let failure { throw failure }
        let length = Int(seekableLength ?? 0)
        let start = min(Int(position), length)
        position = Int64(length)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<length])
    }

    func seek(to offset: Int64) {
        position = offset
    }
}

private final class Output: ArchiveOutput {
    private(set) var bytes: [UInt8] = []
    private let failure: (any Error)?

    init(failure: (any Error)? = nil) {
        self.failure = failure
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let failure { throw failure }
        self.bytes += bytes
    }
}
