internal import Glibc

/// Moves a lease away whose holder is dead, so that exactly one of many who find it does so.
///
/// Renaming alone would not do: a process that was slow between finding the dead lease and renaming it would move away
/// the new lease of a faster one. So whoever wants to move a lease first makes a claim, a file named after that very
/// lease, which again only one can make; looks again whether the lease is the one claimed; and only then renames it.
/// A claim whose maker died is claimed in the same way.
struct Takeover {
    let folder: LeaseFolder
    let name: String
    let holder: LeaseHolder

    /// Claims of claims of claims; each needs a process that died within microseconds.
    private static let depth = 8
    /// A file that is being written is whole after so many looks, a millisecond apart.
    private static let patience: Int32 = 200

    /// Returns when the lease is gone, or may be.
    ///
    /// - Throws: ``LeaseError/held(_:)`` when its holder is alive, or may be.
    func clear() throws(LeaseError) {
        switch try settled(name) {
        case .none: return
        case .held(let other, let touched):
            switch other.life(seenBy: holder) {
            case .alive: throw .held(other)
            case .dead: break
            case .elsewhere: if try !isStale(touched) { throw .held(other) }
            }
            try move(other)
        case .damaged(let touched):
            guard try isStale(touched) else { throw .heldByUnknown(path: "\(folder.path)/\(name)") }
            try move(nonce: Self.nonce(ofDamaged: touched)) { $0 == .damaged(touched: touched) }
        }
    }

    private func move(_ dead: LeaseHolder) throws(LeaseError) {
        try move(nonce: dead.nonce) { found in
            if case .held(let found, _) = found { found.nonce == dead.nonce } else { false }
        }
    }

    private func move(nonce: String, if isIt: (LeaseFolder.Found) -> Bool) throws(LeaseError) {
        let claims = try claim(nonce)
        guard !claims.isEmpty else { return }
        defer { for claim in claims { folder.remove(claim) } }
        guard isIt(try folder.find(name)) else { return }
        let away = "\(name).stale-\(holder.nonce).tmp"
        guard folder.rename(name, to: away) else { return }
        // A holder that was taken for dead may have given its lease back in this very moment, to another.
        if !isIt(try folder.find(away)) { folder.putBack(away, as: name) }
        folder.remove(away)
    }

    /// Makes the claim on a lease, or on a claim whose maker is dead.
    ///
    /// - Returns: the files that are to be removed when the work is done; none when what was to be claimed is gone.
    private func claim(_ nonce: String) throws(LeaseError) -> [String] {
        var nonce = nonce
        var claims: [String] = []
        for _ in 0..<Self.depth {
            let claim = "\(name).claim-\(nonce).tmp"
            if let file = try folder.create(claim, holder.bytes()) {
                close(file)
                return claims + [claim]
            }
            switch try settled(claim) {
            case .none: return []
            case .held(let other, let touched):
                switch other.life(seenBy: holder) {
                case .alive: throw .held(other)
                case .dead: break
                case .elsewhere: if try !isStale(touched) { throw .held(other) }
                }
                nonce = other.nonce
            case .damaged(let touched):
                guard try isStale(touched) else { throw .heldByUnknown(path: "\(folder.path)/\(claim)") }
                nonce = Self.nonce(ofDamaged: touched)
            }
            claims.append(claim)
        }
        throw .heldByUnknown(path: "\(folder.path)/\(name)")
    }

    /// A file that says nothing is told from others by its time.
    private static func nonce(ofDamaged touched: Int64) -> String { "damaged-\(touched)" }

    /// What a file holds once its maker has had the time to write it.
    private func settled(_ name: String) throws(LeaseError) -> LeaseFolder.Found {
        var found = try folder.find(name)
        guard case .damaged(let touched) = found, try !isStale(touched) else { return found }
        for _ in 0..<Self.patience {
            usleep(1000)
            found = try folder.find(name)
            guard case .damaged = found else { return found }
        }
        return found
    }

    private func isStale(_ touched: Int64) throws(LeaseError) -> Bool {
        Self.isStale(touched: touched, now: try folder.now())
    }

    /// Both in nanoseconds, by the same clock; a time that lies ahead is no sign of age.
    static func isStale(touched: Int64, now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(touched)
        return !overflow && age > 60_000_000_000
    }
}
