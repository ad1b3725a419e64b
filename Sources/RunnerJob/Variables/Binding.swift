/// What the variables of a matrix stand for in the task that is being read.
final class Binding {
    private(set) var names: [String: Int] = [:]
    private(set) var order: [String] = []
    /// nil where the row has no text for a name.
    var values: [TextValue?] = []
    /// The file that rows come from and the line of this one; nil where there is none.
    var place: Place?

    init(_ names: [String]) {
        for name in names { add(name) }
    }

    func isTaken(_ name: String) -> Bool { names[name] != nil }

    /// Adds a name that is not taken, and returns its index.
    @discardableResult
    func add(_ name: String) -> Int {
        names[name] = order.count
        order.append(name)
        values.append(nil)
        return order.count - 1
    }

    /// Whether nothing has a value, as before the first row of a file.
    var isUnset: Bool { values.allSatisfy { $0 == nil } }

    /// The values in words, for a message.
    var description: String {
        let pairs = zip(order, values).compactMap { name, value in
            value.map { "\(name): \($0.hasSecret ? "***" : $0.text)" }
        }
        return shown(pairs.prefix(4).joined(separator: ", "))
    }
}
