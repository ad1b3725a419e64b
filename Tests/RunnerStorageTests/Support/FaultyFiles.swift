import Glibc
import RunnerStorage
import Synchronization

/// ``FileOperations`` of the kernel in which named calls fail, and which counts the calls.
///
/// Descriptors that are open are counted too, so that a test sees a leak.
final class FaultyFiles: FileOperations {
    /// A call of ``FileOperations``.
    enum Call: String, CaseIterable {
        case open, close, write, read, status, truncate, reserve, rename, unlink, link, makeFolder, setMode, setModified
        case freeSpace, checkWritable, target, resolved, copy, synchronize, synchronizeFileSystem, excludeFromDumps,
            move
    }

    private struct State {
        var failures: [Call: (errno: Int32, calls: ClosedRange<Int>)] = [:]
        var counts: [Call: Int] = [:]
        var capacity: Int64?
        var largestWrite = Int.max
        var free: Int64?
        var opened: Set<Int32> = []
        var afterRename: (@Sendable () -> Void)?
    }

    private let system = SystemFiles()
    private let state = Mutex(State())

    /// Lets a call fail; the numbers of its calls count from now, beginning with 1.
    func fail(_ call: Call, with errno: Int32, calls: ClosedRange<Int> = 1...Int.max) {
        state.withLock { state in
            state.failures[call] = (errno, calls)
            state.counts[call] = 0
        }
    }

    /// Lets everything work again.
    func recover() {
        state.withLock { state in
            state.failures = [:]
            state.capacity = nil
            state.free = nil
        }
    }

    /// Lets every write fail with ENOSPC that would go beyond so many bytes; what still fits is written.
    func fillUp(after bytes: Int64) {
        state.withLock { $0.capacity = bytes }
    }

    /// Lets every write be cut after so many bytes, as a kernel may.
    func cutWrites(to bytes: Int) {
        state.withLock { $0.largestWrite = bytes }
    }

    /// Does something right after the next rename, as another process could.
    func afterRename(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.afterRename = body }
    }

    /// What free space is said to be.
    func pretend(free bytes: Int64) {
        state.withLock { $0.free = bytes }
    }

    func count(_ call: Call) -> Int {
        state.withLock { $0.counts[call, default: 0] }
    }

    /// All calls made since the counts were reset, except closing.
    var counts: [Call: Int] { state.withLock { $0.counts } }

    func resetCounts() {
        state.withLock { $0.counts = [:] }
    }

    var openDescriptors: Int { state.withLock { $0.opened.count } }

    private func begin(_ call: Call) throws(SystemError) {
        let errno: Int32? = state.withLock { state in
            state.counts[call, default: 0] += 1
            guard let failure = state.failures[call], failure.calls.contains(state.counts[call, default: 0]) else {
                return nil
            }
            return failure.errno
        }
        if let errno { throw SystemError(errno) }
    }

    func open(_ name: String, in folder: Int32, flags: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        try begin(.open)
        let descriptor = try system.open(name, in: folder, flags: flags, mode: mode)
        state.withLock { _ = $0.opened.insert(descriptor) }
        return descriptor
    }

    func close(_ file: Int32) throws(SystemError) {
        // Even a close that fails closes (close(2)).
        state.withLock { _ = $0.opened.remove(file) }
        try system.close(file)
        try begin(.close)
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64) throws(SystemError) -> Int {
        try begin(.write)
        let (capacity, largest) = state.withLock { ($0.capacity, $0.largestWrite) }
        let room = capacity.map { max($0 - offset, 0) } ?? .max
        let count = Int(min(Int64(min(bytes.count, largest)), room))
        if count == 0, bytes.count > 0 { throw SystemError(ENOSPC) }
        return try system.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: file, at: offset)
    }

    func move(from pipe: SplicePipe, to file: Int32, at offset: Int64) throws(SystemError) -> Int {
        try begin(.move)
        return try system.move(from: pipe, to: file, at: offset)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, from file: Int32, at offset: Int64) throws(SystemError) -> Int
    {
        try begin(.read)
        return try system.read(into: buffer, from: file, at: offset)
    }

    func status(of file: Int32) throws(SystemError) -> FileStatus {
        try begin(.status)
        return try system.status(of: file)
    }

    func status(of name: String, in folder: Int32) throws(SystemError) -> FileStatus {
        try begin(.status)
        return try system.status(of: name, in: folder)
    }

    func followedStatus(of name: String, in folder: Int32) throws(SystemError) -> FileStatus {
        try begin(.status)
        return try system.followedStatus(of: name, in: folder)
    }

    func truncate(_ file: Int32, to length: Int64) throws(SystemError) {
        try begin(.truncate)
        try system.truncate(file, to: length)
    }

    func synchronize(_ file: Int32) throws(SystemError) {
        try begin(.synchronize)
        try system.synchronize(file)
    }

    func synchronizeFileSystem(of file: Int32) throws(SystemError) {
        try begin(.synchronizeFileSystem)
        try system.synchronizeFileSystem(of: file)
    }

    func excludeFromDumps(_ file: Int32) throws(SystemError) {
        try begin(.excludeFromDumps)
        try system.excludeFromDumps(file)
    }

    func reserve(_ length: Int64, for file: Int32) throws(SystemError) {
        try begin(.reserve)
        try system.reserve(length, for: file)
    }

    func rename(_ name: String, to other: String, in folder: Int32) throws(SystemError) {
        try begin(.rename)
        try system.rename(name, to: other, in: folder)
        let body = state.withLock { state in
            defer { state.afterRename = nil }
            return state.afterRename
        }
        body?()
    }

    func unlink(_ name: String, in folder: Int32) throws(SystemError) {
        try begin(.unlink)
        try system.unlink(name, in: folder)
    }

    func link(_ file: Int32, as name: String, in folder: Int32) throws(SystemError) {
        try begin(.link)
        try system.link(file, as: name, in: folder)
    }

    func makeFolder(_ name: String, in folder: Int32) throws(SystemError) {
        try begin(.makeFolder)
        try system.makeFolder(name, in: folder)
    }

    func setMode(_ mode: UInt16, of file: Int32) throws(SystemError) {
        try begin(.setMode)
        try system.setMode(mode, of: file)
    }

    func setModified(_ seconds: Int64, of file: Int32) throws(SystemError) {
        try begin(.setModified)
        try system.setModified(seconds, of: file)
    }

    func freeSpace(at file: Int32) throws(SystemError) -> Int64? {
        try begin(.freeSpace)
        if let free = state.withLock({ $0.free }) { return free }
        return try system.freeSpace(at: file)
    }

    func checkWritable(_ folder: Int32) throws(SystemError) {
        try begin(.checkWritable)
        try system.checkWritable(folder)
    }

    func target(ofLink name: String, in folder: Int32) throws(SystemError) -> String {
        try begin(.target)
        return try system.target(ofLink: name, in: folder)
    }

    func resolved(_ path: String) throws(SystemError) -> String {
        try begin(.resolved)
        return try system.resolved(path)
    }

    func copy(
        _ count: Int, from source: Int32, at sourceOffset: Int64, to target: Int32, at targetOffset: Int64
    ) throws(SystemError) -> Int {
        try begin(.copy)
        return try system.copy(count, from: source, at: sourceOffset, to: target, at: targetOffset)
    }
}
