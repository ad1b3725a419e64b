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
    private let lane: Lane
    private let report: @Sendable (Refusal?) -> Void
    private var rows: [PublishedFile] = []
    private var products: [Product] = []
    private var since = Duration.zero
    private var checkpoint = SteadyClock.now + Bookkeeper.checkpointInterval
    private var phase = Phase.open

    /// What the ledger refused; costs a later run time, and nothing else.
    struct Refusal: Sendable {
        var message: String
    }

    /// - Parameter report: called on a worker after each batch, with what went wrong.
    init(site: JobSite, workers: Workers, report: @escaping @Sendable (Refusal?) -> Void) {
        self.site = site
        lane = Lane(on: workers)
        self.report = report
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

    /// Writes the last rows, and those of origins that asked to be left alone; the report of it is the last.
    func close(holds: [OriginHold]) {
        flush()
        let (ledger, report) = (site.ledger, report)
        phase = .closing
        lane.submit {
            let refusal = Self.attempt { () throws(LedgerError) in
                try ledger.hold(holds, now: WallClock.seconds)
            }
            ledger.close()
            report(refusal)
        }
    }

    var isClosing: Bool {
        if case .closing = phase { return true }
        return false
    }

    private func flush() {
        guard isWaiting else { return }
        let (rows, products, ledger, report) = (rows, products, site.ledger, report)
        self.rows = []
        self.products = []
        lane.submit {
            let refusal = Self.attempt { () throws(LedgerError) in
                try ledger.record(files: rows)
                try ledger.record(products: products)
            }
            if let refusal { report(refusal) }
        }
    }

    private static func attempt(_ work: () throws(LedgerError) -> Void) -> Refusal? {
        do throws(LedgerError) {
            try work()
            return nil
        } catch {
            return Refusal(message: SiteText.sentence(error))
        }
    }
}
