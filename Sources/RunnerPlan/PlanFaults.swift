public import RunnerJob

/// Everything that keeps a job from being planned, found in one go.
public struct PlanFaults: Error, Sendable {
    /// Errors in the order of their places; never empty.
    public var diagnostics: [Diagnostic]

    public init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }
}

/// Collects faults and warnings, and puts them in the order of the job file.
struct Findings {
    private(set) var errors: [Diagnostic] = []
    private(set) var warnings: [Diagnostic] = []

    mutating func error(_ message: String, at place: Place?, notes: [Diagnostic.Note] = []) {
        errors.append(Diagnostic(.error, message, at: place, notes: notes))
    }

    mutating func warning(_ message: String, at place: Place?, notes: [Diagnostic.Note] = []) {
        warnings.append(Diagnostic(.warning, message, at: place, notes: notes))
    }

    func throwErrors() throws(PlanFaults) {
        if !errors.isEmpty { throw PlanFaults(Self.sorted(errors)) }
    }

    static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        // The position in the list is part of the key: Swift does not promise that its sort is stable.
        func key(_ entry: (offset: Int, element: Diagnostic)) -> (Int32, Int32, Int32, Int) {
            guard let place = entry.element.place else { return (-1, -1, -1, entry.offset) }
            return (place.file, place.line, place.column, entry.offset)
        }
        return diagnostics.enumerated().sorted { key($0) < key($1) }.map(\.element)
    }
}
