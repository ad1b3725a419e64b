/// A position in a job file: what an error message points at.
///
/// Lines and columns start at 1; a column counts Unicode scalars, as an editor does.
public struct Place: Hashable, Sendable {
    /// Index of the file in the job's ``SourceMap``.
    public var file: Int32
    public var line: Int32
    public var column: Int32

    public init(file: Int32 = 0, line: Int32, column: Int32) {
        self.file = file
        self.line = line
        self.column = column
    }
}
