import RunnerJob
import RunnerPlan

/// A disk that holds what a test says.
struct FakeDisk: DiskView {
    var files: [String: FileState] = [:]
    var free: Int64?
    var records: [String: PublishedRecord] = [:]
    var parts: [String: PartOnDisk] = [:]
    var products: [String: ProductRecord] = [:]

    func state(of path: TargetPath) -> FileState? { files[path.text] }
    func freeSpace() -> Int64? { free }
    func isOpenToOthers(_ path: String) -> Bool { false }
    func record(of path: TargetPath) -> PublishedRecord? { records[path.text] }
    func part(of download: Download) -> PartOnDisk? { parts[download.path.text] }
    func product(of key: ExactText) -> ProductRecord? { products[key.text] }
}

/// A task as short as a test can say it; `list` is a URL where it holds `://`, else a path.
func task(
    _ id: String, to: String? = nil, needs: [String] = [], list: String? = nil, digest: Bool = false,
    size: Int64? = nil, exists: Download.ExistingFile = .verify, priority: Int = 0, optional: Bool = false,
    line: Int32 = 1, request: RequestSettings = .standard
) -> JobTask {
    let place = Place(line: line, column: 5)
    let reference = list.map { list in
        let source: ChecksumListReference.Source =
            list.contains("://")
            ? .url(url(list, at: place)) : .path(TargetPath(normalized: list))
        return ChecksumListReference(source, at: Place(line: line, column: 20))
    }
    let digests = digest ? [Digest(.md5, bytes: Array(repeating: 0, count: 16))].compactMap(\.self) : []
    return JobTask(
        id: ExactText(id), place: place,
        needs: needs.enumerated().map { Reference(ExactText($1), at: Place(line: line, column: Int32(10 + $0))) },
        isOptional: optional, priority: priority,
        action: .download(
            Download(
                sources: [url("https://example.org/\(id)", at: place)],
                destination: .file(TargetPath(normalized: to ?? id)), digests: digests, checksumList: reference,
                size: size, exists: exists, request: request)))
}

func url(_ text: String, at place: Place) -> SourceURL {
    SourceURL(url: text, origin: Origin(scheme: "https", host: "example.org", port: 443), place: place)
}

/// A job whose tasks stand on lines 1, 2, 3 and so on.
func job(_ tasks: [JobTask], directory: String = "/data") -> Job {
    let placed = tasks.enumerated().map { index, task in
        var task = task
        let line = Int32(index + 1)
        task.place.line = line
        for need in task.needs.indices { task.needs[need].place.line = line }
        return task
    }
    return Job(name: "test", file: "test.yaml", folder: "/jobs", directory: directory, tasks: placed)
}

extension Plan {
    /// Ids in the order in which they start.
    var startOrder: [String] { order.map { tasks[$0].task.id.text } }

    /// Ids of what a task needs.
    func needs(of id: String) -> [String]? {
        tasks.first { $0.task.id == ExactText(id) }?.needs.map { tasks[$0].task.id.text }
    }
}

/// The faults of a job; empty when it can be planned.
func faults(_ tasks: [JobTask], disk: FakeDisk = FakeDisk(), only: [ExactText] = []) -> [Diagnostic] {
    do throws(PlanFaults) {
        _ = try Planner.plan(job(tasks), disk: disk, only: only)
        return []
    } catch {
        return error.diagnostics
    }
}

extension Diagnostic {
    /// `1: message | 2: note`, with the lines.
    var short: String {
        let notes = notes.map { "\($0.place?.line ?? 0): \($0.message)" }
        return (["\(place?.line ?? 0): \(message)"] + notes).joined(separator: " | ")
    }
}
