package import RunnerJob

/// Why a checksum list gives no digest for a file.
package enum ChecksumListError: Error, Hashable, Sendable {
    case empty
    case tooLong(bytes: Int)
    /// UTF-16, as PowerShell's redirection writes it.
    case utf16
    /// An HTML page came in place of the list.
    case page(title: String?)
    /// Not one line is an entry; the text is safe to print.
    case noEntries(firstBytes: String)
    /// `unreadableLines` are lines that ought to be entries and are none.
    case noEntry(name: String, entries: Int, unreadableLines: [Int])
    /// Two entries of one algorithm belong to the file and differ.
    case contradiction(name: String, Digest, Digest)

    /// Never passes for a checked file.
    package var faultClass: FaultClass { .integrity }
}
