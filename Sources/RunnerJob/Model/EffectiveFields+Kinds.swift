/// The fields of the kinds of task that are no downloads.
extension EffectiveFields {
    mutating func add(_ upload: Upload) {
        add("upload", upload.path.text)
        add("to", upload.target.url.text)
        add("method", upload.method)
        if let form = upload.form { add(form) }
        add(statuses: upload.statuses)
        add("save_response", upload.savedResponse?.text)
        add("rate", upload.rate.map { SizeText.exact($0) + "/s" })
        add(upload.request.value)
    }

    private mutating func add(_ form: UploadForm) {
        add("form.field", form.field)
        add("form.file_name", form.fileName)
        add("form.content_type", form.contentType)
        for field in form.fields {
            add("form.fields.\(field.name)", field.hasSecret ? Self.hidden : field.value, or: "form.fields")
        }
        for header in form.headers {
            add("form.headers.\(header.name)", header.isCredential ? Self.hidden : header.value, or: "form.headers")
        }
    }

    mutating func add(_ extraction: Extraction) {
        add("extract", extraction.archive.text)
        add("to", extraction.targetText)
        add("strip", String(extraction.strip))
        add(extraction.selection)
        add("password", extraction.password.map { _ in Self.hidden })
        add("exists", extraction.existing?.rawValue)
        add("limits.entries", String(extraction.limits.entries))
        add("limits.bytes", String(extraction.limits.bytes))
        add("limits.ratio", String(extraction.limits.ratio))
    }

    mutating func add(_ creation: ArchiveCreation) {
        add("archive", list(creation.sources.map(\.text)))
        add("to", creation.target.text)
        add("strip", String(creation.strip))
        add("prefix", creation.prefix.isEmpty ? nil : creation.prefix)
        add(creation.selection)
        add("password", creation.password.map { _ in Self.hidden })
        add("level", creation.level.map(String.init))
        add("threads", creation.threads.map(String.init))
        add("mtime", creation.time.words)
    }

    private mutating func add(_ selection: EntrySelection) {
        add("include", list(selection.include))
        add("exclude", list(selection.exclude))
    }

    mutating func add(_ run: ProgramRun) {
        add("run", run.sourceText)
        for variable in run.environment {
            add("env.\(variable.name)", variable.hasSecret ? Self.hidden : variable.value)
        }
        add("cwd", run.folder?.path.text)
        add("inputs", list(run.reads.map { $0.shape == .folder ? $0.path.text + "/" : $0.path.text }))
        add("outputs", list(run.outputs.map { $0.isFolder ? $0.path.text + "/" : $0.path.text }))
        add(statuses: run.statuses)
    }

    mutating func add(_ check: FileCheck) {
        add("check", check.path.text)
        add(check.digests)
        if let list = check.checksumList { addList(list.path.text, list.digests) }
        add("size", check.size.map(String.init))
        add(check.expect)
    }
}

extension ArchiveCreation.Time {
    /// As `mtime` has it.
    fileprivate var words: String {
        switch self {
        case .zero: "0"
        case .ofFiles: "file"
        case .fixed(let seconds): String(seconds)
        }
    }
}
