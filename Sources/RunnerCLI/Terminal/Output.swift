/// Where bytes for a person or a program go.
package protocol Output: Sendable {
    /// Whether a person looks at it, and cursor movements make sense.
    var isTerminal: Bool { get }
    /// The window now; nil where there is none.
    var size: TerminalSize? { get }
    /// The error of the system that a write failed with; nil while all went well.
    var failure: Int32? { get }
    /// Writes all bytes; once that fails, as with a reader that went away, later ones are dropped.
    func write(_ bytes: some Collection<UInt8>)
}

/// A window in character cells.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
