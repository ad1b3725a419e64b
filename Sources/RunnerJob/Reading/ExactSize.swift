/// The exact size that a task asks for, and where it is written.
struct ExactSize {
    private(set) var bytes: Int64?
    private var place: Place?

    mutating func read(_ node: Node, _ fields: Fields) {
        bytes = fields.size(node, TaskKey.size.rawValue)
        place = node.place
    }

    /// Tells of bounds that leave no file, of which every run would fail.
    func check(against expect: Expectations, _ faults: Faults) {
        guard let bytes, let place else { return }
        if let most = expect.maxSize, bytes > most {
            faults.error("`size` is larger than the `max_size` of `expect`; no file can be both", at: place)
        } else if let least = expect.minSize, bytes < least {
            faults.error("`size` is smaller than the `min_size` of `expect`; no file can be both", at: place)
        }
    }
}
