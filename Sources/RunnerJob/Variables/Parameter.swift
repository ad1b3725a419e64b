/// A variable that whoever runs the job is meant to give a value.
struct Parameter {
    var name: String
    var place: Place
    var description: String?
    var isRequired = false
    /// What it is when no value is given.
    var fallback: Node?
    /// What it may be; nil for anything.
    var values: [String]?

    /// What is said when there is no value.
    func missing(_ used: String) -> String {
        let what = description.map { " (\($0))" } ?? ""
        return "the parameter \(shown(name))\(what) \(used); give it with --set \(name)=…"
    }
}
