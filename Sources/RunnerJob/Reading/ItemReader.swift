/// Reads the items of `tasks`: single tasks, groups, and items that a matrix makes many of.
struct ItemReader {
    let fields: Fields
    let matrices: MatrixReader
    let files: JobFiles
    let sources: SourceRegister

    private static let matrix = TaskKey.matrix.rawValue
    private static let tasks = TaskKey.tasks.rawValue

    /// Reads a list of items in the scope of a group or of the whole job.
    func read(_ items: [Node], _ reader: TaskReader, into tasks: inout [JobTask]) {
        for item in items { read(item, reader, into: &tasks) }
    }

    private func read(_ item: Node, _ reader: TaskReader, into tasks: inout [JobTask]) {
        guard case .mapping(let entries) = item.content else {
            if let task = reader.task(item) { tasks.append(task) }
            return
        }
        guard let matrix = entries.first(where: { $0.key == Self.matrix }) else {
            return read(entries, at: item.place, reader, into: &tasks)
        }
        guard let matrix = matrices.matrix(matrix.value) else { return }
        let rest = entries.filter { $0.key != Self.matrix }
        let (reader, own) = reader.takingShared(rest)
        MatrixExpansion(matrix: matrix, fields: fields, files: files, sources: sources).each {
            read(own, at: item.place, reader, into: &tasks)
        }
    }

    /// Reads an item without a matrix.
    private func read(_ entries: [Node.Entry], at place: Place, _ reader: TaskReader, into tasks: inout [JobTask]) {
        guard let items = entries.first(where: { $0.key == Self.tasks }) else {
            if let task = reader.task(entries, at: place) { tasks.append(task) }
            return
        }
        let inner = GroupReader(fields: fields).reader(for: entries, in: reader)
        guard case .sequence(let nodes) = items.value.content else {
            fields.faults.error("`tasks` of a group wants a list; begin each task with `- `", at: items.value.place)
            return
        }
        read(nodes, inner, into: &tasks)
    }
}
