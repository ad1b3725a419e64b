/// Where the fields of a task were given, by their keys: `retry.attempts`, `headers.accept`, `size`.
struct Trail: Sendable {
    private var places: [String: Place] = [:]

    /// Keys whose fields are given one by one.
    private static let nested: Set<TaskKey> = [
        .retry, .timeout, .expect, .headers, .tls, .ssh, .redirects, .env, .limits, .form,
    ]

    subscript(key: String) -> Place? { places[key] }

    /// Notes a field; a later one takes the place of an earlier one.
    mutating func note(_ key: TaskKey, _ node: Node) {
        guard Self.nested.contains(key), case .mapping(let entries) = node.content else {
            places[key.rawValue] = node.place
            return
        }
        for entry in entries { places["\(key.rawValue).\(entry.key.lowercased())"] = entry.value.place }
    }
}
