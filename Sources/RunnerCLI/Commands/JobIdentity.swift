internal import Glibc
internal import RunnerJob

/// What makes two runs runs of the same job.
enum JobIdentity {
    /// The real path of the job's file, so that a link to it is the same job.
    static func of(_ job: Job) -> String {
        if job.file == JobSource.standardInput { return "standard input: " + job.name + "\n" + job.folder }
        let name = job.file.hasPrefix("/") ? job.file : job.folder + "/" + (job.file.split(separator: "/").last ?? "")
        guard let path = realpath(name, nil) else { return name }
        defer { free(path) }
        return String(cString: path)
    }
}
