package import RunnerJob

/// Who runs transfers: hands out leave to ask, keeps the timers, and is told what happens.
///
/// Called on the network thread, also from inside libcurl's callbacks: it must not start or end a request before the
/// call has returned, but note what is asked and act in its next round.
package protocol TransferHost: AnyObject {
    /// The transfer wants to ask this origin; answer with ``Transfer/granted()``. A slot that it holds is given back.
    func transfer(_ transfer: Transfer, waitsFor origin: Origin)
    /// The transfer sleeps; answer with ``Transfer/timerFired()``. Its slot is given back.
    func transfer(_ transfer: Transfer, sleepsFor duration: Duration)
    /// The transfer has its bytes and needs no slot, unless they prove wrong; it then asks for leave as before.
    func transferIsComplete(_ transfer: Transfer)
    /// A slot that was lent for a segment is free again.
    func transfer(_ transfer: Transfer, ended segment: SegmentID)
    /// A redirect leads a segment to this origin; answer with ``Transfer/segmentGranted(_:)`` or
    /// ``Transfer/segmentRefused(_:)``.
    func transfer(_ transfer: Transfer, leads segment: SegmentID, to origin: Origin)
    /// A reply came; returns how many requests the origin has answered so far, refusals and redirects left out.
    func transfer(_ transfer: Transfer, received head: ReplyHead, from origin: Origin) -> Int
    /// A request ended without any reply; `connection` tells its connection from others, where it had one.
    func transfer(_ transfer: Transfer, hadNoReplyFrom origin: Origin, on connection: Int?, _ fault: Fault)
    /// Time that the run has been at rest so far; it counts for no limit of time.
    var rested: Duration { get }
    func transfer(_ transfer: Transfer, reports report: TransferReport)
    func transfer(_ transfer: Transfer, endedWith result: TransferResult)
}

/// What becomes known in the course of a transfer.
package enum TransferReport: Sendable {
    /// `piece`: what a segment fetches; nil for the main stream.
    case attemptStarted(number: Int, url: String, resumedFrom: Int64, piece: Range<Int64>? = nil)
    case attemptFailed(
        number: Int, url: String, resumedFrom: Int64, piece: Range<Int64>? = nil, fault: Fault, received: Int64,
        retryIn: Duration?, nextURL: String?)
}

/// How a transfer ended, and what it took.
package struct TransferResult: Sendable {
    package var ending: TransferMachine.Ending
    /// The file in its place; nil unless it succeeded.
    package var published: PartWriter.Published?
    /// Bytes of bodies that came in, of all attempts.
    package var transferred: Int64
    /// Bytes of bodies that were sent, of all attempts.
    package var sent: Int64
    /// First byte of the first attempt that went on from what was there; nil when none did.
    package var resumedFrom: Int64?
    package var attempts: Int
    /// Source of the last attempt, and where its redirects led.
    package var url: String
    package var finalURL: String
    package var head: SharedHead?
    package var httpVersion: String?
    package var phases: Phases
    /// Each source that failed, with its last fault, in the order of the job.
    package var sourceFaults: [(url: String, fault: Fault)]
}

/// Time spent in each phase of the last request.
package struct Phases: Hashable, Sendable {
    package var dns: Duration?
    package var connect: Duration?
    package var tls: Duration?
    package var firstByte: Duration?
    package var transfer: Duration?

    package init() {}
}
