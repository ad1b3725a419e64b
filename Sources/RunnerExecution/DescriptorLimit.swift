#if canImport(Glibc)
    import Glibc
#endif

/// How many transfers the open files of this process allow.
enum DescriptorLimit {
    /// Standard streams, the event loop, the report, the ledger, and folders that are kept open.
    private static let reserved = 40
    /// A socket and a part file, a connection that is kept or closes while the next one opens, and the part file of a
    /// transfer that has given its slot to this one.
    private static let perTransfer = 4

    /// What a run with one task at a time needs: event loops, the ledger, folders, a connection and a part file.
    private static let least = 14

    /// Whether the process may open as many files as a run needs at the least.
    ///
    /// The system library that Swift's concurrency rests on ends the process when it cannot open a file.
    static var isEnough: Bool {
        var opened: [Int32] = []
        defer { for number in opened { close(number) } }
        while opened.count < least {
            let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if number < 0 { return errno != EMFILE && errno != ENFILE }
            opened.append(number)
        }
        return true
    }

    /// The number of slots that is asked for, or fewer where RLIMIT_NOFILE (getrlimit(2)) does not allow it.
    static func concurrency(_ asked: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return asked }
        let files = Int(clamping: limit.rlim_cur)
        return max(1, min(asked, (files - reserved) / perTransfer))
    }
}
