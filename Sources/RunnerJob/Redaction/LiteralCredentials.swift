/// Finds credentials that are written out in a job file that has faults.
///
/// Whoever reads a field notes what of it is secret, but a fault keeps fields from being read: a misspelt key, a value
/// of another shape, a file that is no YAML. The line that a message shows may hold one all the same.
enum LiteralCredentials {
    /// What a key says of the values below it.
    private enum Meaning {
        case secret
        /// A URL or a part of one: user and password stand before `@`.
        case address
    }

    /// Keys whose values give access, whatever is below them.
    private static let meanings: KeyValuePairs<String, Meaning> = [
        "auth": .secret, "bearer": .secret, "password": .secret, "passphrase": .secret, "proxy": .address,
        "secret_key": .secret, "session_token": .secret,
    ]
    /// Keys below those whose values give none.
    private static let harmless: Set<String> = ["user", "region", "service", "access_key", "netrc"]

    /// The values below keys that name credentials, or nearly do.
    static func find(in node: Node) -> Set<String> {
        var found: Set<String> = []
        search(node, below: nil, &found)
        return found
    }

    private static func search(_ node: Node, below meaning: Meaning?, _ found: inout Set<String>) {
        switch node.content {
        case .scalar(let scalar):
            found.formUnion(secrets(in: scalar.text, meaning ?? (isBrokenURL(scalar.text) ? .address : nil)))
        case .sequence(let items):
            for item in items { search(item, below: meaning, &found) }
        case .mapping(let entries):
            for entry in entries where meaning == nil || !harmless.contains(entry.key) {
                search(entry.value, below: meaning ?? Self.meaning(of: entry.key), &found)
            }
        }
    }

    /// What stands behind the first key of a line that names a credential: for text of which no tree can be made.
    static func find(inLine line: String) -> Set<String> {
        var found: Set<String> = []
        var meaning: Meaning?
        for word in line.split(whereSeparator: { " \t{}[],\"'".contains($0) }) {
            if word.utf8.last == UInt8(ascii: ":") || isKey(word, in: line) {
                meaning = meaning ?? Self.meaning(of: String(word.prefix { $0 != ":" }))
            } else {
                found.formUnion(secrets(in: String(word), meaning))
                // A message names an alias without its sign.
                found.formUnion(secrets(in: String(word.drop { "*&!|>".contains($0) }), meaning))
            }
        }
        return found
    }

    /// Whether a word in quotes is a key.
    private static func isKey(_ word: Substring, in line: String) -> Bool {
        guard word.endIndex < line.endIndex, "\"'".contains(line[word.endIndex]) else { return false }
        return line[line.index(after: word.endIndex)...].first { $0 != " " } == ":"
    }

    /// Whether a text with user and password in it was meant for a URL, and is none.
    ///
    /// Those of a URL that can be read are known without this.
    private static func isBrokenURL(_ text: String) -> Bool {
        guard text.holds(UInt8(ascii: "@")), text.contains("://") else { return false }
        return (try? SourceURL(text, at: Place(line: 1, column: 1))) == nil
    }

    private static func meaning(of key: String) -> Meaning? {
        if HeaderText.isCredential(key) { return .secret }
        let near = Suggestion.nearest(to: key, among: meanings.lazy.map(\.key))
        return meanings.first { $0.key == near }?.value
    }

    private static func secrets(in text: String, _ meaning: Meaning?) -> [String] {
        switch meaning {
        case nil: return []
        // A variable is not what it stands for; and two of the words turn something on or off.
        case .secret where text.hasPrefix("${") && text.hasSuffix("}") || ["true", "false", ""].contains(text):
            return []
        case .secret: return HeaderText.secrets(in: text)
        case .address:
            let authority = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
            guard let at = authority.lastIndex(of: "@") else { return [] }
            let user = authority[..<at]
            let password = String(user.firstIndex(of: ":").map { user[user.index(after: $0)...] } ?? user)
            return password.isEmpty ? [] : [password]
        }
    }
}
