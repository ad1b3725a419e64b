/// Reads what declares variables: `vars`, `params`, and files of `--vars`.
struct DeclarationReader {
    let fields: Fields
    let variables: Variables

    /// Declares the variables and parameters of a file, unless one that comes before it has done so.
    func declare(_ file: JobFile) {
        if let entry = file[.vars] { declareVariables(entry.value) }
        if let entry = file[.params] { declareParameters(entry.value, besides: file[.vars]?.value) }
    }

    /// Takes up the values of a file that the command line names; they come before those of the job.
    func give(_ root: Node) {
        guard let entries = fields.mapping(root, "--vars", example: "release: \"12.5\"") else { return }
        for entry in entries where !isHomeOfAnchors(entry) {
            if isName(entry) { variables.give(entry) }
        }
    }

    /// Whether a key is one that is ignored; a variable may have such a name too, but is a text.
    private func isHomeOfAnchors(_ entry: Node.Entry) -> Bool {
        if case .scalar = entry.value.content { return false }
        return entry.key.hasPrefix("x-")
    }

    private func declareVariables(_ node: Node) {
        guard let entries = fields.mapping(node, "vars", example: "{release: \"12.5\"}") else { return }
        for entry in entries where isName(entry) { variables.declare(entry.key, as: entry.value) }
    }

    private func isName(_ entry: Node.Entry) -> Bool {
        if Template.isName(entry.key) { return true }
        fields.faults.error(Variables.wrongName(entry.key), at: entry.keyPlace)
        return false
    }

    // MARK: Parameters

    private enum Key: String, CaseIterable {
        case description, required
        case fallback = "default"
        case values
    }

    private func declareParameters(_ node: Node, besides vars: Node?) {
        let example = "{release: {description: \"Debian's release\", required: true}}"
        guard let entries = fields.mapping(node, "params", example: example) else { return }
        var own: [Node.Entry] = []
        if case .mapping(let entries)? = vars?.content { own = entries }
        for entry in entries where isName(entry) {
            if let variable = own.first(where: { $0.key == entry.key }) {
                fields.faults.error(
                    "\(shown(entry.key)) is declared twice, as a parameter and as a variable; write its `default` here",
                    at: entry.keyPlace, notes: [Diagnostic.Note("the variable is here", at: variable.keyPlace)])
            } else {
                declareParameter(entry)
            }
        }
    }

    private func declareParameter(_ entry: Node.Entry) {
        var parameter = Parameter(name: entry.key, place: entry.keyPlace)
        if !entry.value.isEmpty {
            guard let entries = fields.mapping(entry.value, entry.key, example: "{default: \"12.5\"}") else { return }
            fields.each(entries, of: "a parameter", as: Key.self) { key, field in
                let name = key.rawValue, node = field.value
                switch key {
                case .description: parameter.description = fields.line(node, name)
                case .required: parameter.isRequired = fields.boolean(node, name) ?? false
                case .fallback: parameter.fallback = node
                case .values:
                    let values = fields.list(node, name)
                    if values.isEmpty {
                        fields.faults.error("`values` names nothing that it may be", at: field.keyPlace)
                    }
                    parameter.values = values.compactMap { fields.text($0, name) }
                }
            }
        }
        if parameter.isRequired, parameter.fallback != nil {
            fields.faults.error(
                "the parameter \(shown(entry.key)) is required and has a default; remove one of them",
                at: entry.keyPlace)
        }
        variables.declare(parameter)
    }
}
