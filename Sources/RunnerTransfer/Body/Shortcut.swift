internal import RunnerStorage
import Synchronization

/// The way past the lane: the part of a transfer while the network thread may write to it.
///
/// It may as long as all that was handed to the lane has been written, so that the part is never longer than what is
/// there of it, and nobody syncs it.
final class Shortcut: Sendable {
    private enum Access {
        case closed
        /// The lane is to make the part ready.
        case opening
        case open(PartFile)
    }

    private struct State {
        /// Counts the bodies; what the lane opens for an earlier one is of no use.
        var turn = 0
        var access = Access.closed
        var isDigested = false
        /// Whether nothing speaks against splicing into it (splice(2)).
        var isSpliceable = false
        /// Work of the lane that has to be over first: chunks that it is to write, and syncs.
        var queued = 0

        /// The part where it may be written to now.
        var part: PartFile? {
            guard queued == 0, case .open(let part) = access else { return nil }
            return part
        }
    }

    private let state = Mutex(State())

    /// The part is about to be closed or moved.
    func close() {
        state.withLock { state in
            state.turn += 1
            state.access = .closed
        }
    }

    /// The part is about to be opened, or cut.
    ///
    /// - Returns: what ``open(_:isDigested:turn:)`` is to be called with.
    func prepare() -> Int {
        state.withLock { state in
            state.turn += 1
            state.access = .opening
            return state.turn
        }
    }

    /// The lane has made the part ready.
    func open(_ part: PartFile, isDigested: Bool, turn: Int) {
        state.withLock { state in
            guard turn == state.turn else { return }
            state.access = .open(part)
            state.isDigested = isDigested
            state.isSpliceable = true
        }
    }

    func queued() { state.withLock { $0.queued += 1 } }
    func written() { state.withLock { $0.queued -= 1 } }

    /// The part where it may be written to now.
    func part() -> PartFile? { state.withLock(\.part) }

    /// Whether the lane has yet to make the part ready.
    var isOpening: Bool {
        state.withLock { state in
            if case .opening = state.access { true } else { false }
        }
    }

    /// The part where bytes may be spliced into it now; nobody has them in memory then.
    func spliceablePart() -> PartFile? {
        state.withLock { $0.isSpliceable ? $0.part : nil }
    }

    /// Bytes cannot be spliced into the part, or are to be written by those who can say why.
    func refuseSplicing() { state.withLock { $0.isSpliceable = false } }

    /// Whether the lane digests what is written.
    var isDigested: Bool { state.withLock(\.isDigested) }
}
