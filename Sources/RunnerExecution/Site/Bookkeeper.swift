import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// Hands what a run has put in place to the ledger, in batches and on a worker.
///
/// Belongs to the network thread.
final class Bookkeeper {
    /// Rows that are worth a transaction of their own.
    private static let batch = 512
    /// Longest time that a row waits.
    private static let interval = Duration.seconds(1)
    /// Time between two syncs of what was put in place, in runs that last.
    private static let checkpointInterval = Duration.seconds(30)

    private enum Phase {
        case open
        /// The last rows are on their way.
        case closing
        case closed
    }

    private let site: JobSite
    private let spare: SpareRoom
    private let lane: Lane
    private let report: @Sendable (Refusal?) -> Void
    private var rows: [PublishedFile] = []
    private var products: [Product] = []
    private var since = Duration.zero
    private var checkpoint = SteadyClock.now + Bookkeeper.checkpointInterval
    private var phase = Phase.open

    /// The run's own row as it began.
    private var run: RunRow?

    /// What the ledger refused; costs a later run time, and nothing else.
    struct Refusal: Hashable, Sendable {
        var message: String

        init(_ error: LedgerError) {
            message = SiteText.sentence(error)
        }
    }

    /// - Parameter report: called on a worker after each batch, with what went wrong.
    init(site: JobSite, workers: Workers, report: @escaping @Sendable (Refusal?) -> Void) {
        self.site = site
        spare = SpareRoom(folder: site.folder, job: site.identity)
        lane = Lane(on: workers)
        self.report = report
    }

    /// Writes the row of the run itself; it stays without an end if the process is killed.
    func begin(_ run: RunRow) {
        self.run = run
        // At once: what the tasks begin to write may take all there is.
        spare.take()
        submit { ledger throws(LedgerError) in try ledger.record(run: run) }
    }

    func add(_ row: PublishedFile) {
        if !isWaiting { since = SteadyClock.now }
        rows.append(row)
        if rows.count >= Self.batch { flush() }
    }

    func add(_ product: Product) {
        if !isWaiting { since = SteadyClock.now }
        products.append(product)
    }

    private var isWaiting: Bool { !rows.isEmpty || !products.isEmpty }

    /// Writes what has waited long enough; returns when to look again.
    func housekeep(at now: Duration) -> Duration? {
        if now >= checkpoint {
            checkpoint = now + Self.checkpointInterval
            flush()
            let ledger = site.ledger
            // Costs the disk time, not the run: it has a lane of its own.
            lane.submit { _ = try? ledger.checkpoint() }
        }
        guard isWaiting else { return nil }
        if now >= since + Self.interval { flush() }
        return isWaiting ? since + Self.interval : nil
    }

    /// Writes the last rows, those of origins that asked to be left alone, and how the run ended; the report of it is
    /// the last.
    ///
    /// - Parameter last: what is done on the lane when all else is written; nil for nothing.
    func close(holds: [OriginHold], finished: RunFinished, last: (@Sendable () -> Void)?) {
        let (site, report, spare) = (site, report, spare)
        lane.submit { spare.release() }
        flush()
        phase = .closing
        let row = run.map { $0.ended(finished, at: WallClock.milliseconds) }
        lane.submit {
            let refusal = Self.attempt { () throws(LedgerError) in
                try site.ledger.hold(holds, now: WallClock.milliseconds)
                if let row { try Self.end(row, at: site) }
            }
            site.ledger.close()
            last?()
            report(refusal)
        }
    }

    /// Writes how a run ended, and lets go of runs that are no longer kept.
    static func end(_ row: RunRow, at site: JobSite) throws(LedgerError) {
        try site.ledger.record(run: row)
        for old in try site.ledger.pruneRuns(now: WallClock.milliseconds) {
            if let report = old.report { site.folder.remove(report) }
        }
    }

    var isClosing: Bool {
        if case .closing = phase { return true }
        return false
    }

    private func flush() {
        guard isWaiting else { return }
        let (rows, products) = (rows, products)
        self.rows = []
        self.products = []
        submit { ledger throws(LedgerError) in
            try ledger.record(files: rows)
            try ledger.record(products: products)
        }
    }

    private func submit(_ work: @escaping @Sendable (Ledger) throws(LedgerError) -> Void) {
        let (ledger, report) = (site.ledger, report)
        lane.submit {
            if let refusal = Self.attempt({ () throws(LedgerError) in try work(ledger) }) { report(refusal) }
        }
    }

    private static func attempt(_ work: () throws(LedgerError) -> Void) -> Refusal? {
        do throws(LedgerError) {
            try work()
            return nil
        } catch {
            return Refusal(error)
        }
    }
}

extension RunRow {
    func ended(_ finished: RunFinished, at time: Int64) -> RunRow {
        var row = self
        row.finished = time
        row.outcome = finished.outcome.rawValue
        row.exitStatus = Int64(finished.exitStatus)
        row.counts = Dictionary(
            finished.counts.map { ($0.key.rawValue, Int64($0.value)) }, uniquingKeysWith: { first, _ in first })
        row.bytes = finished.bytes
        row.transferred = finished.transferred
        return row
    }
}
