/// What two runs of one job came to, set against each other task by task.
public struct RunComparison: Hashable, Sendable {
    /// A task that the two tell of differently; nil where one does not tell of it.
    public struct Change: Hashable, Sendable {
        public var id: String
        public var before: RecordedTask?
        public var after: RecordedTask?
    }

    /// In the order of the earlier run, then of the later.
    public private(set) var changes: [Change] = []
    /// Tasks that came to the same.
    public private(set) var same = 0

    /// A task that was there already and one that was fetched are the same, as long as the file is.
    public init(_ before: RecordedRun, _ after: RecordedRun) {
        for task in before.tasks {
            let other = after.task(task.id)
            if let other, Self.isSame(task, other) {
                same += 1
            } else {
                changes.append(Change(id: task.id, before: task, after: other))
            }
        }
        for task in after.tasks where before.task(task.id) == nil {
            changes.append(Change(id: task.id, before: nil, after: task))
        }
    }

    private static func isSame(_ one: RecordedTask, _ other: RecordedTask) -> Bool {
        guard one.isDone, other.isDone else {
            return one.outcome == other.outcome && one.failure == other.failure
        }
        // What is up to date may have been recorded without being read again.
        let isSameDigest = one.digest == nil || other.digest == nil || one.digest == other.digest
        let isSameSize = one.bytes == nil || other.bytes == nil || one.bytes == other.bytes
        return isSameDigest && isSameSize
    }
}
