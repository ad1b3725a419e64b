internal import Glibc

/// How the files of a ledger looked at one moment; two that are equal mean that nobody wrote in between.
package struct LedgerMark: Equatable, Sendable {
    private struct One: Equatable {
        var size: Int64
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int
    }

    private let database: One?
    private let log: One?
    private let journal: One?

    init(of path: String) {
        database = Self.one(path)
        log = Self.one(path + "-wal")
        journal = Self.one(path + "-journal")
    }

    /// Whether there is more to read than the database alone.
    var hasLog: Bool { (log?.size ?? 0) > 0 || (journal?.size ?? 0) > 0 }

    private static func one(_ path: String) -> One? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return One(
            size: Int64(status.st_size), inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
