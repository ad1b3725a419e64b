package import RunnerJob

/// Why a checksum list gives no digest for a file.
package enum ChecksumListError: Error, Hashable, Sendable {
    case empty
    case tooLong(bytes: Int)
    /// It is not the list that the job means; nil where the digest could not be computed.
    case notPinned(Digest, actual: Digest?)
    /// UTF-16, as PowerShell's redirection writes it.
    case utf16
    /// An HTML page came in place of the list.
    case page(title: String?)
    /// Not one line is an entry; the text is safe to print.
    case noEntries(firstBytes: String)
    /// `first` are names of the first entries, safe to print; `unreadableLines` are lines that ought to be entries
    /// and are none.
    case noEntry(name: String, entries: Int, first: [String], unreadableLines: [Int])
    /// Two entries of one algorithm belong to the file and differ.
    case contradiction(name: String, Digest, Digest)

    /// The list says something else than the job, or than its lock file.
    case notWanted(name: String, listed: Digest, wanted: Digest)

    /// Never passes for a checked file.
    package var faultClass: FaultClass { .integrity }
}
