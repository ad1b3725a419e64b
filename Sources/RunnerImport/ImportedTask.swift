internal import RunnerJob

/// A download that a list asks for, in the words of the job file.
struct ImportedTask {
    /// In the order in which they are asked.
    var urls: [String]
    /// Where the file goes; nil for the URL's own name.
    var to: String?
    /// Further fields, in the order in which they are written.
    var fields: [ImportedField]
}

/// One field of a job file.
struct ImportedField: Hashable {
    var key: String
    var value: ImportedValue

    init(_ key: String, _ value: ImportedValue) {
        self.key = key
        self.value = value
    }
}

/// The value of a field.
enum ImportedValue: Hashable {
    /// A text in which no variable is meant.
    case text(String)
    /// The value of a secret.
    case secret(String)
    case map([ImportedField])
}

/// All that a list says.
struct ImportedList {
    var tasks: [ImportedTask] = []
    /// Of `limits`.
    var limits: [ImportedField] = []
}
