/// Asks a run to note, where all is in place at its end, that a further one would have nothing to do.
public struct SettlementOrder: Sendable {
    /// What all that the job was read from hashed to, in bytes.
    public var key: [UInt8]
    /// Variables of the environment and files, besides the job file, that the key was made of.
    public var variables: [String]
    public var inputs: [String]
    /// The part of the report's line that tells of a task, which is the same in every run; it ends with a line feed.
    public var line: @Sendable (TaskFinished) -> [UInt8]

    public init(
        key: [UInt8], variables: [String], inputs: [String],
        line: @escaping @Sendable (TaskFinished) -> [UInt8] = { _ in [] }
    ) {
        self.key = key
        self.variables = variables
        self.inputs = inputs
        self.line = line
    }
}
