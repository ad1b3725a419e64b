import RunnerJob
import RunnerPlan
import RunnerStorage

/// Failures of local tasks in words.
extension FaultText {
    /// A file that a task reads is not there, or is something else.
    func noFile(_ path: TargetPath, at kind: FileState.Kind?) -> TaskFailure {
        let what =
            switch kind {
            case nil: "is not there"
            case .folder: "is a folder, not a file"
            case .link: "is a symbolic link, which is not followed"
            case .file, .other: "is not a file that can be read"
            }
        return TaskFailure(
            .input, message: redactor.text("\(path.text) \(what)"),
            advice: advice(kind))
    }

    private func advice(_ kind: FileState.Kind?) -> String? {
        switch kind {
        case nil: "check the path, or name the task that writes it in `needs`"
        case .link: "name the file that it leads to"
        case .file, .folder, .other: nil
        }
    }

    /// A file that was written to during its upload.
    func changedWhileSent(_ path: TargetPath) -> TaskFailure {
        TaskFailure(
            .input, message: redactor.text("\(path.text) changed while it was sent"),
            advice: "run again when nobody writes to it; the server may have a mixture of old and new")
    }

    /// A file that is not what a check says.
    func failure(_ fault: Verification.Fault, of path: TargetPath) -> TaskFailure {
        let reasons = fault.failures.map(ofPresent).joined(separator: ", and ")
        var failure = TaskFailure(
            fault.faultClass, message: redactor.text("\(path.text): \(reasons)"),
            advice: "look at what made the file, or correct what the job says of it")
        failure.differences = fault.failures.compactMap(VerificationText.difference)
        return failure
    }

    /// One failure of a file that did not come over the network.
    private func ofPresent(_ failure: VerificationFailure) -> String {
        switch failure {
        case .size(let expected, let actual): "it has \(actual) bytes, the job says size: \(expected)"
        case .tooSmall(let minimum, let actual): "it has \(actual) bytes, expect.min_size is \(minimum)"
        case .tooLarge(let maximum, let actual): "it has \(actual) bytes, expect.max_size is \(maximum)"
        case .type(expected: .notHTML, found: _): "it is an HTML page"
        default: VerificationText.sentence(failure)
        }
    }
}
