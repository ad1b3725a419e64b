import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer
import Synchronization

/// Does what one task of a local kind asks for, on a worker that it may block.
protocol Performer: Sendable {
    /// Does it once; looks at `control` often, and gives up when it is told to.
    func perform(_ control: WorkControl) -> WorkResult
}

/// What a performer has come to.
struct WorkResult: Sendable {
    enum Ending: Sendable {
        case succeeded
        case upToDate
        case failed(TaskFailure)
        /// Given up, as ``WorkControl`` asked for.
        case stopped
    }

    var ending: Ending
    /// Size of what was made; nil where nothing was.
    var bytes: Int64?
    var digest: Digest?
    /// What a program wrote, its beginning and end.
    var output: String?
    /// What the ledger is to keep of the task.
    var product: Product?

    init(_ ending: Ending, bytes: Int64? = nil, digest: Digest? = nil) {
        self.ending = ending
        self.bytes = bytes
        self.digest = digest
    }
}

/// What network thread and performer tell each other while a task is under way.
final class WorkControl: Sendable {
    /// Why a performer is to give up.
    enum Stop: Sendable {
        case cancelled
        /// A limit of time has passed.
        case expired(Fault)
    }

    private let flag = CancelFlag()
    private let reason = Mutex<Stop?>(nil)
    private let undo = Mutex<(@Sendable () -> Bool)?>(nil)
    private let done = Atomic<Int64>(0)
    private let total = Atomic<Int64>(-1)

    /// Whether to give up.
    var isStopped: Bool { flag.isSet }
    /// The first reason that was given.
    var stop: Stop? { reason.withLock { $0 } }

    func stop(_ why: Stop) {
        reason.withLock { if $0 == nil { $0 = why } }
        flag.set()
    }

    /// Tells how to take back what the work has written while it cannot look at ``isStopped``.
    ///
    /// - Parameter undo: says whether there was anything to take back: else the work has come to its end.
    func canBeAbandoned(_ undo: @escaping @Sendable () -> Bool) {
        self.undo.withLock { $0 = undo }
    }

    /// What takes the work back, so that nobody has to wait for it; nil where it has to be waited for.
    var abandonment: (@Sendable () -> Bool)? { undo.withLock { $0 } }

    /// Tells how far the work is, in bytes.
    func progress(_ bytes: Int64, of whole: Int64? = nil) {
        done.store(bytes, ordering: .relaxed)
        if let whole { total.store(whole, ordering: .relaxed) }
    }

    var progress: (bytes: Int64, total: Int64?) {
        let whole = total.load(ordering: .relaxed)
        return (done.load(ordering: .relaxed), whole < 0 ? nil : whole)
    }
}
