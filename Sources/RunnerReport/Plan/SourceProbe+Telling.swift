internal import RunnerExecution
internal import RunnerJob

extension SourceProbe {
    /// What the source said, on one line for people: `HTTP/2 200, 3.6 GiB, ranges, "v1"`.
    func telling(_ redactor: Redactor) -> String {
        if let failure { return "\(failure.faultClass.rawValue): \(redactor.text(failure.message))".printable }
        var parts: [String] = []
        if let status { parts.append((httpVersion.map { "HTTP/\($0) " } ?? "") + "\(status)") }
        parts.append(size.map(ByteCount.text) ?? "size not told")
        switch ranges {
        case .yes: parts.append("gives ranges")
        case .no: parts.append("no ranges")
        case .unknown: break
        }
        if let validator = etag ?? lastModified {
            parts.append(redactor.text(validator) + (hasStrongValidator ? "" : " (too weak to go on with)"))
        } else {
            parts.append("no validator")
        }
        return (parts.joined(separator: ", ") + (finalURL.map { " → \(redactor.url($0))" } ?? "")).printable
    }

    /// Writes one object of `runner.plan/1`.
    func write(to json: inout JSONWriter, _ redactor: Redactor) {
        json.object { json in
            json.member("url", redactor.url(url))
            json.member("final_url", finalURL.map(redactor.url))
            json.member("status", status)
            json.member("http_version", httpVersion)
            json.member("bytes", size)
            json.member("ranges", ranges.rawValue)
            json.member("etag", etag.map(redactor.text))
            json.member("last_modified", lastModified.map(redactor.text))
            if hasStrongValidator { json.flag("strong_validator") }
            json.member("requests", requests)
            guard let failure else { return }
            json.key("error")
            json.object { json in
                json.member("class", failure.faultClass.rawValue)
                json.member("code", failure.code)
                json.member("message", redactor.text(failure.message))
                json.member("advice", (failure.advice ?? failure.faultClass.advice).map(redactor.text))
                json.member("http_status", failure.httpStatus)
            }
        }
    }
}
