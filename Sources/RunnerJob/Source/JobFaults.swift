/// Why a job file was refused: every fault of it, and the texts to show them in.
public struct JobFaults: Error, Sendable {
    /// In the order of the file; never empty.
    public var diagnostics: [Diagnostic]
    public var sources: SourceMap

    public init(diagnostics: [Diagnostic], sources: SourceMap) {
        self.diagnostics = diagnostics
        self.sources = sources
    }
}
