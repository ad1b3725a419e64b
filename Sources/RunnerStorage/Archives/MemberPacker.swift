internal import Glibc
internal import LibArchive
internal import RunnerJob

/// Writes one member after the other into an archive.
struct MemberPacker {
    private let writer: ArchiveWriter
    private let time: ArchiveCreation.Time
    /// Seconds since 1970 that the format can hold.
    private let times: ClosedRange<Int64>
    private let total: Int64
    private let progress: (Int64, Int64) -> Void
    private let isCancelled: () -> Bool
    private var packed: Int64 = 0
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)

    init(
        writer: ArchiveWriter, time: ArchiveCreation.Time, format: PackedFormat, total: Int64,
        progress: @escaping (Int64, Int64) -> Void, isCancelled: @escaping () -> Bool
    ) {
        self.writer = writer
        self.time = time
        // libarchive writes the lower 32 bits of any time, so that 1950 becomes 2086.
        times = format == .zip ? 0...Int64(UInt32.max) : .min ... .max
        self.total = total
        self.progress = progress
        self.isCancelled = isCancelled
    }

    mutating func pack(_ member: PackedMember, from source: SourceFolder) throws(PackingError) {
        if isCancelled() { throw .cancelled }
        let shown = source.shown(member.path)
        let writer = writer
        let entry = ArchiveEntry(
            // A folder is known by its slash in zip.
            name: member.kind == .folder ? member.name + [EntryName.slash] : member.name, kind: member.kind,
            size: member.size, mode: member.mode, modified: modified(member))
        guard member.kind == .file else {
            try ArchivePacking.attempt(shown) { () throws(ArchiveError) in try writer.begin(entry) }
            return
        }
        let file = try source.open(member.path)
        defer { close(file) }
        try check(file, member, shown)
        try ArchivePacking.attempt(shown) { () throws(ArchiveError) in try writer.begin(entry) }
        var offset: Int64 = 0
        while offset < member.size {
            if isCancelled() { throw .cancelled }
            let wanted = Int(min(Int64(buffer.count), member.size - offset))
            let count = try read(file, wanted, at: offset, shown)
            guard count > 0 else { throw .changed(path: shown) }
            try buffer.span.withUnsafeBytes { (bytes) throws(PackingError) in
                let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                try ArchivePacking.attempt(shown) { () throws(ArchiveError) in try writer.write(piece) }
            }
            offset += Int64(count)
            packed += Int64(count)
            progress(packed, total)
        }
        try check(file, member, shown)
    }

    private func modified(_ member: PackedMember) -> ArchiveEntry.Time {
        switch time {
        case .zero: ArchiveEntry.Time(seconds: 0)
        case .ofFiles:
            ArchiveEntry.Time(seconds: min(max(member.modified.seconds, times.lowerBound), times.upperBound))
        case .fixed(let seconds): ArchiveEntry.Time(seconds: seconds)
        }
    }

    private func check(_ file: Int32, _ member: PackedMember, _ shown: String) throws(PackingError) {
        var status = stat()
        guard fstat(file, &status) == 0, member.isUnchanged(status) else { throw .changed(path: shown) }
    }

    private mutating func read(
        _ file: Int32, _ count: Int, at offset: Int64, _ shown: String
    ) throws(PackingError) -> Int {
        do throws(SystemError) {
            return try repeating { pread(file, &buffer, count, off_t(offset)) }
        } catch {
            throw .storage(.sourceUnreadable(path: shown, errno: error.code))
        }
    }
}
