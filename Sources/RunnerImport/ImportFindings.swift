internal import RunnerJob

/// What is wrong with a list, and what of it has no counterpart in a job file.
struct ImportFindings {
    private(set) var diagnostics: [Diagnostic] = []
    /// What must not be shown of the list.
    private(set) var secrets: Set<String> = []
    private var leftOut: [LeftOut] = []
    private var indices: [String: Int] = [:]
    private var names = SecretNames()

    /// Something that stands in the list many times.
    private struct LeftOut {
        var message: String
        var place: Place
        var count = 1
    }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    mutating func add(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    mutating func error(_ message: String, at place: Place, notes: [Diagnostic.Note] = []) {
        diagnostics.append(Diagnostic(.error, message, at: place, notes: notes))
    }

    mutating func warning(_ message: String, at place: Place, notes: [Diagnostic.Note] = []) {
        diagnostics.append(Diagnostic(.warning, message, at: place, notes: notes))
    }

    /// Tells of something that the job does not have; once, however often it stands in the list.
    mutating func leaveOut(_ subject: String, _ reason: String, at place: Place) {
        let message = "\(subject) \(reason)"
        if let index = indices[message] {
            leftOut[index].count += 1
        } else {
            indices[message] = leftOut.count
            leftOut.append(LeftOut(message: message, place: place))
        }
    }

    /// Tells of an option that no job file has.
    mutating func leaveOut(option name: String, _ value: String, at place: Place) {
        if ImportWords.speakOfSecrets(name) { hide(value) }
        leaveOut("the option \(shown(name))", ImportWords.noCounterpart, at: place)
    }

    /// Tells of a value that an option cannot have; one that may be a secret is not shown.
    mutating func refuse(_ value: String, of name: String, wanted: String, at place: Place) {
        // A field is shown if its name does not speak of secrets.
        let isHidden =
            name == "header"
            ? value.firstIndex(of: ":").map { ImportedSettings.holdsSecret(String(value[..<$0])) } ?? true
            : ImportWords.speakOfSecrets(name)
        if isHidden { hide(value) }
        let subject = isHidden ? "what stands here" : shown(value)
        error("\(subject) is no value for \(shown(name)), which takes \(wanted)", at: place)
    }

    /// Keeps a value out of the lines that are shown.
    mutating func hide(_ value: String) {
        secrets.formUnion(HeaderText.secrets(in: value))
    }

    /// The value that stands for a secret, which is not copied into the job.
    ///
    /// - Parameter use: what it is, such as `password`; part of the name of the variable.
    mutating func secret(_ value: String, _ use: String, host: String, at place: Place) -> ImportedValue {
        hide(value)
        let (name, isNew) = names.name(of: value, use, host: host)
        if isNew {
            warning(
                "the \(use) is not copied into the job; give it as the environment variable \(name), or in a file that"
                    + " `secrets` names", at: place)
        }
        return .secret(name)
    }

    /// All findings, in the order of the list; a message may show a part of it, such as the name of a column.
    func all() -> [Diagnostic] {
        let rest = leftOut.map { found in
            let others = found.count - 1
            let again = others == 0 ? "" : ", here and in \(others) more \(others == 1 ? "place" : "places")"
            return Diagnostic(.warning, found.message + again, at: found.place)
        }
        // Values that are secrets as a whole are in no message; to look for each of them in each would take long.
        let redactor = Redactor()
        let shown = (diagnostics + rest).map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.message = redactor.text(diagnostic.message)
            return diagnostic
        }
        return shown.enumerated().sorted { left, right in
            let lines = (left.element.place?.line ?? 0, right.element.place?.line ?? 0)
            return lines.0 == lines.1 ? left.offset < right.offset : lines.0 < lines.1
        }.map(\.element)
    }
}

/// Names for secrets, one for each that a host is given.
private struct SecretNames {
    /// By the name without its number, the number of each value.
    private var known: [String: [ExactText: Int]] = [:]

    /// - Returns: the name, and whether it was not known before.
    mutating func name(of value: String, _ use: String, host: String) -> (String, isNew: Bool) {
        let words = "\(host) \(use)".uppercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        var base = words.joined(separator: "_")
        if base.first?.isNumber != false { base = "HOST_" + base }
        let earlier = known[base]?[ExactText(value)]
        let number = earlier ?? known[base]?.count ?? 0
        let isNew = earlier == nil
        if isNew { known[base, default: [:]][ExactText(value)] = number }
        return (number == 0 ? base : "\(base)_\(number + 1)", isNew)
    }
}
