/// One fault or warning of a job file.
public struct Diagnostic: Hashable, Sendable {
    public enum Severity: String, Sendable {
        case error, warning
    }

    /// A second place that explains the first, such as the other writer of a path.
    public struct Note: Hashable, Sendable {
        public var message: String
        public var place: Place?

        public init(_ message: String, at place: Place? = nil) {
            self.message = message
            self.place = place
        }
    }

    public var severity: Severity
    /// One sentence without a final stop: what is wrong, and what to write instead.
    public var message: String
    /// Where it is wrong; nil only for faults of the file as a whole, such as one that cannot be read.
    public var place: Place?
    public var notes: [Note]

    public init(_ severity: Severity, _ message: String, at place: Place?, notes: [Note] = []) {
        self.severity = severity
        self.message = message
        self.place = place
        self.notes = notes
    }
}
