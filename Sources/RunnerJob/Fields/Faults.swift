/// Collects what is wrong with a job file while it is being read.
///
/// The reading goes on after a fault, so that all of them are told at once.
final class Faults {
    private(set) var errors: [Diagnostic] = []
    private(set) var warnings: [Diagnostic] = []
    /// An aliased node is read once for each use, and its faults are the same every time.
    private var known: [Diagnostic: Repetition] = [:]
    /// What a matrix stands for at the moment.
    var combination: (() -> Binding)?

    /// How often a fault was met, in tasks that a matrix makes of one item.
    private struct Repetition {
        /// Of the first, in the list of its kind.
        var index: Int
        var count = 0
    }

    /// Rows that are told of one fault.
    private static let toldRows = 5

    func error(_ message: String, at place: Place?, notes: [Diagnostic.Note] = []) {
        add(Diagnostic(.error, message, at: place, notes: notes))
    }

    func warn(_ message: String, at place: Place?) {
        add(Diagnostic(.warning, message, at: place))
    }

    func add(_ diagnostic: Diagnostic) {
        if known[diagnostic] == nil {
            switch diagnostic.severity {
            case .error: errors.append(diagnostic)
            case .warning: warnings.append(diagnostic)
            }
            let index = diagnostic.severity == .error ? errors.count - 1 : warnings.count - 1
            known[diagnostic] = Repetition(index: index)
        }
        guard diagnostic.severity == .error, let binding = combination?(), !binding.isUnset else { return }
        note(binding, for: diagnostic)
    }

    /// Tells for which row or combination of a matrix a fault was found.
    private func note(_ binding: Binding, for diagnostic: Diagnostic) {
        guard var repetition = known[diagnostic] else { return }
        repetition.count += 1
        known[diagnostic] = repetition
        let rest = repetition.count - Self.toldRows
        if rest <= 0 {
            errors[repetition.index].notes.append(Diagnostic.Note("with \(binding.description)", at: binding.place))
        } else if rest == 1 {
            errors[repetition.index].notes.append(Diagnostic.Note("and in 1 further task"))
        } else {
            errors[repetition.index].notes[errors[repetition.index].notes.count - 1].message =
                "and in \(rest) further tasks"
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
