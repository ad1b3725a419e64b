/// A task's kind; the raw values are the verbs of the job file.
public enum TaskKind: String, CaseIterable, Sendable {
    case download, check, run, upload, extract, archive
}
