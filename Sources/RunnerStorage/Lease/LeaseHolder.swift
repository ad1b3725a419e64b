internal import FoundationEssentials
internal import Glibc
internal import RunnerJob

/// Who holds a lease: enough to tell whether that process still lives.
package struct LeaseHolder: Codable, Hashable, Sendable {
    package static let schema = "runner.lease/1"

    package var schema = Self.schema
    /// Different for every lease that was ever taken.
    package var nonce: String
    package var host: String
    /// Tells machines of one name apart; a hash of machine-id(5), empty where there is none.
    package var machine: String
    package var pid: Int32
    /// The namespace that ``pid`` counts in, such as `pid:[4026531836]` (pid_namespaces(7)); empty where it is not told.
    package var namespace: String
    /// When the process started, in ticks since the boot (field 22 of proc_pid_stat(5)); 0 where it is not told.
    package var processStart: UInt64
    package var boot: String
    package var run: String
    /// When the lease was taken, in seconds since 1970 by the holder's clock.
    package var since: Int64

    package init(
        nonce: String, host: String, machine: String, pid: Int32, namespace: String, processStart: UInt64,
        boot: String, run: String, since: Int64
    ) {
        self.nonce = nonce
        self.host = host
        self.machine = machine
        self.pid = pid
        self.namespace = namespace
        self.processStart = processStart
        self.boot = boot
        self.run = run
        self.since = since
    }

    /// This process.
    package static func current(run: String, since: Int64) -> LeaseHolder {
        let pid = getpid()
        return LeaseHolder(
            nonce: (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined(),
            host: ProcessTable.hostName, machine: ProcessTable.machine, pid: pid,
            namespace: ProcessTable.namespace, processStart: ProcessTable.look(pid).start ?? 0,
            boot: BootID.current, run: run, since: since)
    }

    /// The bytes of a lease's file; nil unless they are those of a whole lease.
    init?(_ bytes: [UInt8]) {
        guard let holder = try? JSONDecoder().decode(LeaseHolder.self, from: Data(bytes)),
            holder.schema == Self.schema, !holder.nonce.isEmpty
        else { return nil }
        self = holder
    }

    func bytes() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(self)).map { Array($0) } ?? []) + [0x0A]
    }

    /// What can be told of the holder from here.
    package enum Life: Hashable, Sendable {
        case alive, dead
        /// Another machine or another pid namespace: only its heartbeat can tell.
        case elsewhere
    }

    package func life(seenBy observer: LeaseHolder, look: (Int32) -> ProcessTable.Sight = ProcessTable.look) -> Life {
        guard host == observer.host, machine == observer.machine, namespace == observer.namespace else {
            return .elsewhere
        }
        guard boot == observer.boot else { return boot.isEmpty || observer.boot.isEmpty ? .elsewhere : .dead }
        switch look(pid) {
        case .gone: return .dead
        case .started(let start): return processStart == 0 || start == processStart ? .alive : .dead
        case .hidden: return .alive
        }
    }
}

/// What the kernel tells of processes (proc_pid_stat(5)).
package enum ProcessTable {
    package enum Sight: Hashable, Sendable {
        case gone
        /// It is there, and started at that tick.
        case started(UInt64)
        /// It is there, but belongs to someone whose processes are not shown.
        case hidden

        var start: UInt64? {
            if case .started(let start) = self { return start }
            return nil
        }
    }

    package static func look(_ pid: Int32) -> Sight {
        // 0 and negative numbers would mean groups (kill(2)).
        guard pid > 0 else { return .gone }
        if kill(pid, 0) != 0, errno == ESRCH { return .gone }
        guard let bytes = StateFolder(path: "/proc/\(pid)").read("stat") else { return .hidden }
        // The name in parentheses may hold anything; what counts stands behind the last one.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return .hidden }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19, let start = UInt64(String(decoding: fields[19], as: UTF8.self)) else { return .hidden }
        // A zombie does nothing any more; its parent only has not asked for its status yet.
        let isOver = fields[0].elementsEqual("Z".utf8) || fields[0].elementsEqual("X".utf8)
        return isOver ? .gone : .started(start)
    }

    static let hostName: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    static let namespace: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/self/ns/pid", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Hashed, since the identity itself is not to be shown (machine-id(5)).
    static let machine: String = {
        guard let bytes = StateFolder(path: "/etc").read("machine-id"), !bytes.isEmpty,
            let digest = try? DigestSet.digest(of: Array("runner lease ".utf8) + bytes, by: .sha256)
        else { return "" }
        return String(digest.hex.prefix(16))
    }()
}
