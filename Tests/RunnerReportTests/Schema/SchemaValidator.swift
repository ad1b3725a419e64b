/// Checks a value against the part of JSON Schema (draft 2020-12) that the schemas of this project use.
struct SchemaValidator {
    private let root: JSONValue

    /// Keywords that are checked, or that only explain.
    private static let known: Set<String> = [
        "$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties",
        "enum", "const", "minimum", "pattern", "oneOf", "items",
    ]

    init(_ schema: JSONValue) {
        root = schema
    }

    /// What is wrong with a value; empty when nothing is.
    func problems(of value: JSONValue) -> [String] {
        problems(of: value, by: root, at: "")
    }

    private func problems(of value: JSONValue, by schema: JSONValue, at path: String) -> [String] {
        if let reference = schema["$ref"]?.text {
            guard let target = root["$defs"]?[reference.split(separator: "/").last.map(String.init) ?? ""] else {
                return ["\(path): no \(reference) in the schema"]
            }
            return problems(of: value, by: target, at: path)
        }
        var problems = schema.members.keys.filter { !Self.known.contains($0) }.map {
            "\(path): the validator does not know '\($0)'"
        }
        if let type = schema["type"]?.text, !value.is(type) { problems.append("\(path): is no \(type)") }
        if let constant = schema["const"], constant != value { problems.append("\(path): is not \(constant)") }
        if let words = schema["enum"], !words.elements.contains(value) { problems.append("\(path): not in the enum") }
        if let minimum = schema["minimum"]?.number, let number = value.number, number < minimum {
            problems.append("\(path): below \(minimum)")
        }
        if let pattern = schema["pattern"]?.text, let text = value.text {
            let matches = (try? Regex(pattern).firstMatch(in: text)) ?? nil
            if matches == nil { problems.append("\(path): '\(text)' does not match \(pattern)") }
        }
        if let items = schema["items"] {
            for (index, element) in value.elements.enumerated() {
                problems += self.problems(of: element, by: items, at: "\(path)/\(index)")
            }
        }
        problems += membersProblems(of: value, by: schema, at: path)
        return problems + alternativesProblems(of: value, by: schema, at: path)
    }

    private func membersProblems(of value: JSONValue, by schema: JSONValue, at path: String) -> [String] {
        let properties = schema["properties"]?.members ?? [:]
        var problems: [String] = []
        for (name, member) in value.members {
            if let property = properties[name] {
                problems += self.problems(of: member, by: property, at: path + "/" + name)
            } else if schema["additionalProperties"] == .boolean(false) {
                problems.append("\(path): '\(name)' is not in the schema")
            }
        }
        let missing = (schema["required"]?.elements ?? []).compactMap(\.text).filter { value[$0] == nil }
        return problems + missing.map { "\(path): '\($0)' is missing" }
    }

    private func alternativesProblems(of value: JSONValue, by schema: JSONValue, at path: String) -> [String] {
        guard let alternatives = schema["oneOf"]?.elements else { return [] }
        let results = alternatives.map { problems(of: value, by: $0, at: path) }
        let fitting = results.filter(\.isEmpty).count
        if fitting == 1 { return [] }
        if fitting > 1 { return ["\(path): \(fitting) alternatives fit"] }
        // The alternative that came nearest tells most.
        return results.min { $0.count < $1.count } ?? ["\(path): no alternatives"]
    }
}

extension JSONValue {
    fileprivate func `is`(_ type: String) -> Bool {
        switch (self, type) {
        case (.null, "null"), (.boolean, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }
}
