import RunnerJob
import RunnerPlan

/// A download with the settings that the renderers show.
func download(
    _ id: String, to: String? = nil, line: Int32, source: String? = nil, optional: Bool = false,
    retry: RetrySettings = RetrySettings()
) -> JobTask {
    JobTask(
        id: ExactText(id), place: place(line), isOptional: optional, retry: retry,
        action: .download(
            Download(
                sources: [
                    SourceURL(
                        url: source ?? "https://example.org/\(id)",
                        origin: Origin(scheme: "https", host: "example.org", port: 443), place: place(line))
                ],
                destination: .file(TargetPath(normalized: to ?? id)))))
}

/// A plan with one task of every kind of verdict that there is now, in an order that is not the file's.
let samplePlan: Plan = {
    let tasks = [
        PlannedTask(
            task: download("iso", to: "iso/debian.iso", line: 12, source: "https://example.org/a?token=hunter22&x=1"),
            needs: [3], verdict: .fetch, reason: .notOnDisk, bytes: 3_865_470_566, checksumListTask: 3),
        PlannedTask(
            task: download("old.iso", line: 20), verdict: .verify, reason: .digestToCheck(onDisk: 734_003_200),
            bytes: 734_003_200),
        PlannedTask(task: download("readme.txt", line: 30, optional: true), verdict: .upToDate, reason: .keepAsked),
        PlannedTask(
            task: download("SUMS", to: ".runner/lists/1-SUMS", line: 13), isImplied: true, verdict: .fetch,
            reason: .notOnDisk, criticalPath: 2),
    ]
    let job = Job(
        name: "night \"ly\"", file: "jobs/nightly.yaml", folder: "/jobs", directory: "/data",
        tasks: tasks.map(\.task), secrets: ["hunter22"], sources: jobSources)
    return Plan(
        job: job, tasks: tasks, order: [3, 0, 1, 2],
        warnings: [Diagnostic(.warning, "md5 alone with hunter22", at: place(20))], freeSpace: 5 << 30)
}()
