import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerStorage

/// What a run would have made of its tasks.
enum Plans {
    /// Start and end of so many tasks that went well.
    static func events(_ count: Int) throws -> [RunEvent] {
        var events: [RunEvent] = []
        for number in 0..<count {
            let name = "files/part-\(number).bin"
            let source = "https://data.example.org/\(name)"
            let place = Place(line: Int32(number), column: 5)
            let started = TaskStarted(
                task: ExactText(name), kind: .download, source: source, to: name, verdict: .fetch,
                reason: .notOnDisk, place: place, bytes: 4_096)
            var finished = TaskFinished(
                task: ExactText(name), outcome: .succeeded, isOptional: false, place: place, to: name,
                transferred: 4_096, attempts: 1)
            finished.bytes = 4_096
            finished.digest = digest
            finished.url = source
            finished.http = TaskFinished.HTTP(
                status: 200, version: "1.1", etag: "\"65a1-1000\"", lastModified: "Sun, 29 Nov 2026 00:00:00 GMT",
                contentType: "application/octet-stream")
            finished.timing.firstByte = .microseconds(312)
            finished.timing.total = .microseconds(978)
            let time = 1_795_922_100_000 + Int64(number)
            events.append(RunEvent(time: time, kind: .taskStarted(started)))
            events.append(RunEvent(time: time + 1, kind: .taskFinished(finished)))
        }
        return events
    }

    /// Rows of so many files that were put in place.
    static func rows(_ count: Int) -> [PublishedFile] {
        let origin = Origin(scheme: "https", host: "data.example.org", port: 443)
        return (0..<count).map { number in
            let name = "files/part-\(number).bin"
            let source = SourceURL(
                url: "https://data.example.org/\(name)", origin: origin, place: Place(line: 1, column: 1))
            let state = FileState(
                kind: .file, size: 4_096, modified: 1_795_922_100_000_000_000, changed: 1_795_922_100_000_000_000,
                inode: UInt64(number), device: 1)
            return PublishedFile(
                path: TargetPath(normalized: name), state: state, digests: [digest].compactMap(\.self), source: source,
                etag: "\"65a1-1000\"", lastModified: "Sun, 29 Nov 2026 00:00:00 GMT", published: 1_795_922_100)
        }
    }

    private static let digest = Digest(.sha256, bytes: (0..<32).map { $0 })
}
