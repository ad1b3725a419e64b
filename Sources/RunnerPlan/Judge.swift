internal import RunnerJob

/// What would be done with a task, and why.
struct Judgement {
    var verdict: Verdict
    var reason: Reason
    /// Bytes that are moved or read, where known.
    var bytes: Int64?
    var recollection: Recollection?

    init(_ verdict: Verdict, _ reason: Reason, _ bytes: Int64? = nil, recollection: Recollection? = nil) {
        self.verdict = verdict
        self.reason = reason
        self.bytes = bytes
        self.recollection = recollection
    }
}

/// Judges tasks by what lies on the disk and what the ledger knows.
struct Judge<Disk: DiskView> {
    let disk: Disk
    /// Whether nothing that the ledger says is believed.
    let rehash: Bool

    /// - Parameter pending: the first path that the task reads and that another task is still to make; nil for none.
    func judgement(of task: JobTask, pending: TargetPath?) -> Judgement {
        guard case .download(let download) = task.action else { return judge(task, pending: pending) }
        let judgement = judge(download, there: disk.state(of: download.path))
        return judgement.verdict == .fetch ? resumed(judgement, download) : judgement
    }

    /// A task of a kind whose freshness is in the ledger.
    private func judge(_ task: JobTask, pending: TargetPath?) -> Judgement {
        let work = task.action.work
        let subject = work.inputs.first { $0.role == .subject || $0.role == .source }
        let bytes = subject.flatMap { disk.state(of: $0.path) }.flatMap { $0.kind == .file ? $0.size : nil }
        var judgement: Judgement
        let record = rehash ? nil : disk.product(of: task.productKey)
        var contents: KnownContents = [:]
        if !rehash {
            for input in Freshness.compared(work) {
                contents[input.path] = KnownContent(disk.record(of: input.path))
            }
        }
        if let pending {
            judgement = Judgement(.run, .inputToCome(pending), bytes)
        } else if let missing = work.inputs.first(where: { disk.state(of: $0.path) == nil }) {
            judgement = Judgement(.run, .inputMissing(missing.path))
        } else if let staleness = Freshness.staleness(
            of: work, record, contents: contents, stamp: { disk.stamp(of: $0) })
        {
            judgement = Judgement(.run, staleness, bytes)
        } else {
            judgement = Judgement(.upToDate, .asDone(since: record?.finished ?? 0), bytes)
        }
        judgement.recollection = record == nil && contents.isEmpty ? nil : .work(record, contents)
        return judgement
    }

    private func judge(_ download: Download, there: FileState?) -> Judgement {
        let wanted = download.size
        guard let there else { return Judgement(.fetch, .notOnDisk, wanted) }
        switch (there.kind, download.exists) {
        case (.folder, _), (.other, _):
            return Judgement(.fetch, .notAFile, wanted)
        case (_, .fail):
            return Judgement(.fetch, .existsAndMustNot, wanted)
        case (_, .keep):
            return Judgement(.upToDate, .keepAsked)
        case (_, .replace):
            return Judgement(.fetch, .replaceAsked, wanted)
        case (.link, .verify):
            return Judgement(.fetch, .symbolicLink, wanted)
        case (.file, .verify):
            break
        }
        if let wanted, wanted != there.size {
            return Judgement(.fetch, .sizeDiffers(onDisk: there.size, wanted: wanted), wanted)
        }
        let record = rehash ? nil : disk.record(of: download.path)
        if download.checksumList != nil, download.digests.isEmpty { return judgeByList(there, record) }
        return download.digests.isEmpty
            ? judgeByValidators(download, there, record) : judgeByDigest(download, there, record)
    }

    /// A file is up to date unread when all that the job asks for was found before and nothing has changed since.
    private func judgeByDigest(_ download: Download, _ there: FileState, _ record: PublishedRecord?) -> Judgement {
        func verify(_ reason: Reason) -> Judgement {
            Judgement(.verify, reason, there.size, recollection: record.map { .record($0) })
        }
        if rehash { return verify(.rehashAsked(onDisk: there.size)) }
        guard let record else { return verify(.digestToCheck(onDisk: there.size)) }
        guard record.fits(there) else { return verify(.changedSince(record.published, onDisk: there.size)) }
        guard record.isTrusted else { return verify(.notSynced(onDisk: there.size)) }
        var isUnknown = false
        for digest in download.digests {
            switch record.digests.agrees(with: digest) {
            case true?: continue
            // What lies there was read when it was recorded, and is something else.
            case false?: return Judgement(.fetch, .otherDigestRecorded, download.size)
            case nil: isUnknown = true
            }
        }
        if isUnknown { return verify(.digestNotRecorded(onDisk: there.size)) }
        if download.checksumList != nil { return judgeByList(there, record) }
        if let mode = download.mode, mode != there.mode {
            return Judgement(.verify, .modeDiffers, there.size, recollection: .record(record))
        }
        return Judgement(.upToDate, .asRecorded(since: record.published), recollection: .record(record))
    }

    /// The list is read during the run; what the ledger says of the file may spare reading the file too.
    private func judgeByList(_ there: FileState, _ record: PublishedRecord?) -> Judgement {
        Judgement(
            .verify, .listToRead(onDisk: there.size), there.size, recollection: record.map { .record($0) })
    }

    /// Without a digest the server is asked whether it still has what lies there.
    private func judgeByValidators(
        _ download: Download, _ there: FileState, _ record: PublishedRecord?
    ) -> Judgement {
        func fetch(_ reason: Reason) -> Judgement { Judgement(.fetch, reason, download.size) }
        if rehash { return fetch(.rehashAsked(onDisk: there.size)) }
        guard let record else { return fetch(.nothingToCompare(onDisk: there.size)) }
        guard record.fits(there) else { return fetch(.changedSince(record.published, onDisk: there.size)) }
        guard record.isTrusted else { return fetch(.notSynced(onDisk: there.size)) }
        // What a server answers to a POST, a condition does not ask about (RFC 9110 section 13.1).
        guard record.etag != nil || record.lastModified != nil, download.request.method == "GET" else {
            return fetch(.noValidator)
        }
        let source = download.sources.firstIndex { SourceKey.of($0, download.request) == record.sourceKey }
        guard let source else { return fetch(.sourceChanged) }
        let validators = RevalidationValidators(source: source, etag: record.etag, lastModified: record.lastModified)
        return Judgement(
            .revalidate, record.etag.map { .entityTagToAsk($0) } ?? .dateToAsk(record.lastModified ?? ""),
            recollection: .validators(validators))
    }

    /// Goes on from a part file where there is one; a task that will fail stays as it is.
    private func resumed(_ judgement: Judgement, _ download: Download) -> Judgement {
        switch judgement.reason {
        case .existsAndMustNot, .notAFile: return judgement
        default: break
        }
        guard let part = disk.part(of: download), part.bytes > 0 else { return judgement }
        let rest = (download.size ?? part.total).map { max(0, $0 - min(part.bytes, $0)) }
        return Judgement(.resume, .partOnDisk(at: part.bytes, validator: part.validator), rest)
    }
}
