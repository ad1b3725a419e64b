/// Collects what is wrong with a job file while it is being read.
///
/// The reading goes on after a fault, so that all of them are told at once.
final class Faults {
    private(set) var errors: [Diagnostic] = []
    private(set) var warnings: [Diagnostic] = []
    /// An aliased node is read once for each use, and its faults are the same every time.
    private var known: Set<Diagnostic> = []

    func error(_ message: String, at place: Place?, notes: [Diagnostic.Note] = []) {
        add(Diagnostic(.error, message, at: place, notes: notes))
    }

    func warn(_ message: String, at place: Place?) {
        add(Diagnostic(.warning, message, at: place))
    }

    func add(_ diagnostic: Diagnostic) {
        guard known.insert(diagnostic).inserted else { return }
        switch diagnostic.severity {
        case .error: errors.append(diagnostic)
        case .warning: warnings.append(diagnostic)
        }
    }

    /// Everything found, in the order of the file.
    static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.sorted { left, right in
            let left = left.place, right = right.place
            return (left?.file ?? 0, left?.line ?? 0, left?.column ?? 0)
                < (right?.file ?? 0, right?.line ?? 0, right?.column ?? 0)
        }
    }
}
