/// Why a lease could not be had.
package enum LeaseError: Error, Hashable, Sendable {
    /// Another run of the job holds it.
    case held(LeaseHolder)
    /// Its file is there, but does not say by whom it is held; it counts as held until it has not been touched for
    /// ``Lease/staleAfter``.
    case heldByUnknown(path: String)
    /// The state folder cannot be used.
    case storage(StorageError)
}
