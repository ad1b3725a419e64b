internal import RunnerJob

extension Verdict {
    /// What would be done with a task by what lies at its destination, why, and how many bytes that moves or reads.
    static func judge(_ task: JobTask, disk: some DiskView) -> (Verdict, Reason, bytes: Int64?) {
        switch task.action {
        case .download(let download): judge(download, there: disk.state(of: download.path))
        }
    }

    private static func judge(_ download: Download, there: FileState?) -> (Verdict, Reason, bytes: Int64?) {
        let wanted = download.size
        guard let there else { return (.fetch, .notOnDisk, wanted) }
        switch (there.kind, download.exists) {
        case (.folder, _), (.other, _):
            return (.fetch, .notAFile, wanted)
        case (_, .fail):
            return (.fetch, .existsAndMustNot, wanted)
        case (_, .keep):
            return (.upToDate, .keepAsked, nil)
        case (_, .replace):
            return (.fetch, .replaceAsked, wanted)
        case (.link, .verify):
            return (.fetch, .symbolicLink, wanted)
        case (.file, .verify):
            break
        }
        if let wanted, wanted != there.size {
            return (.fetch, .sizeDiffers(onDisk: there.size, wanted: wanted), wanted)
        }
        if !download.digests.isEmpty { return (.verify, .digestToCheck(onDisk: there.size), there.size) }
        if download.checksumList != nil { return (.verify, .listToRead(onDisk: there.size), there.size) }
        return (.fetch, .nothingToCompare(onDisk: there.size), wanted)
    }
}
