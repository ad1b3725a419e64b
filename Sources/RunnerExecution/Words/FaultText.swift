import RunnerJob
import RunnerStorage
import RunnerTransfer

/// Turns faults into words: the one place where a failure becomes a sentence and advice.
struct FaultText {
    let redactor: Redactor

    /// - Parameters:
    ///   - url: the source that was asked.
    ///   - sources: every source that failed, with its last fault; told one by one when they were what ended it.
    func failure(_ fault: Fault, url: String, sources: [(url: String, fault: Fault)] = []) -> TaskFailure {
        var message = sentence(fault)
        let reasons = sources.map { "\(redactor.url($0.url)): \(sentence($0.fault))" }.joined(separator: "; ")
        if !sources.contains(where: { $0.fault == fault }) {
            // A limit of time or the disk ended it; what the sources did before is told too.
            if !sources.isEmpty { message += "; before that \(reasons)" }
        } else if sources.count > 1, !fault.isOfThisMachine {
            message = "all \(sources.count) sources failed: \(reasons)"
        } else if !url.isEmpty {
            // A task that never asked anybody has none.
            message += " (\(redactor.url(url)))"
        }
        let masked = { (text: String) in
            Redactor.text(redactor.text(text), withoutCredentialsOf: [url] + sources.map(\.url))
        }
        var failure = TaskFailure(
            fault.faultClass, code: code(fault.cause), message: masked(message), advice: advice(fault).map(masked),
            httpStatus: status(fault.cause))
        failure.differences = differences(fault.cause)
        return failure
    }

    private func differences(_ cause: Fault.Cause) -> [TaskFailure.Difference] {
        switch cause {
        case .sizeDiffers(let declared, let wanted):
            [TaskFailure.Difference("size", wanted: String(wanted), found: String(declared))]
        case .verification(let fault, _): fault.failures.compactMap(VerificationText.difference)
        default: []
        }
    }

    func failure(_ error: StorageError) -> TaskFailure {
        TaskFailure(
            error.faultClass, code: error.code, message: redactor.text(StorageText.sentence(error)),
            advice: StorageText.advice(error).map(redactor.text))
    }

    func failure(_ error: ChecksumListError, list: String) -> TaskFailure {
        var failure = TaskFailure(
            error.faultClass, message: redactor.text("\(list): \(ChecksumListText.sentence(error))"),
            advice: "look at the list, or write the digest into the job file")
        if case .notWanted(_, let listed, let wanted) = error {
            failure.advice = "find out which of the two is right; nothing was fetched"
            failure.differences = [
                TaskFailure.Difference(wanted.algorithm.rawValue, wanted: wanted.hex, found: listed.hex)
            ]
        }
        return failure
    }

    /// An origin whose tasks all wait.
    func hold(_ origin: Origin, for wait: Duration, _ last: Fault) -> String {
        let seconds = Duration.seconds(max(1, (wait.seconds).rounded(.up)))
        return "no request goes to \(origin.description) for \(seconds.words): \(sentence(last))"
    }

    /// An origin that is asked after the mirrors.
    func askedLast(_ origin: Origin, _ fault: Fault) -> String {
        "\(origin.description) is asked after the mirrors from now on, since it failed where another had the file: "
            + sentence(fault)
    }

    /// A file that was replaced although nobody knew of it.
    func tookPlace(_ path: TargetPath) -> String {
        "\(path.text) was written by somebody else while it was fetched; the file of this run has taken its place"
    }

    func existsAndMustNot(_ path: TargetPath) -> TaskFailure {
        TaskFailure(
            .disk, message: redactor.text("\(path.text) is there already, and the job says exists: fail"),
            advice: "remove the file, or write exists: verify, keep or replace")
    }

    private func status(_ cause: Fault.Cause) -> Int? {
        switch cause {
        case .status(let status), .noContent(let status), .redirectWithoutLocation(let status): status
        case .waitTooLong(let status, _, _, _): status
        case .unexpectedStatus(let status, _): status
        case .notModifiedUnasked: 304
        default: nil
        }
    }

    private func code(_ cause: Fault.Cause) -> String? {
        if let status = status(cause) { return "http_\(status)" }
        switch cause {
        case .transport(let code, _): return "curl_\(code)"
        case .unixSocket: return "curl_7"
        case .notRenamed: return "curl_21"
        case .proxy(_, let code, _): return "curl_\(code)"
        case .proxyStatus(_, let status): return "proxy_\(status)"
        case .storage(let error): return error.code
        default: return nil
        }
    }

    // MARK: - Sentences

    private func sentence(_ fault: Fault) -> String {
        sentence(fault.cause) + (fault.document.map { ": " + DocumentText.words($0, redactor) } ?? "")
    }

    private func sentence(_ cause: Fault.Cause) -> String {
        switch cause {
        case .status(let status): "the server answered \(status)\(StatusText.reason(status).map { " " + $0 } ?? "")"
        case .transport(_, let text): text.isEmpty ? "the connection failed" : lowercasedFirst(text)
        case .proxy(let proxy, _, let text):
            proxy.map { "the proxy \($0) failed: \(lowercasedFirst(text))" }
                ?? "the proxy that the environment names cannot be read"
        case .proxyStatus(let proxy, let status):
            "the proxy \(proxy) answered \(status)\(StatusText.reason(status).map { " " + $0 } ?? "")"
        case .unixSocket(let path, let errno):
            "no connection to the unix socket \(path)\(errno == 0 ? "" : ": " + StorageText.systemText(errno))"
        case .noCookies(let path):
            "no line of \(path) is a cookie in Netscape's format: seven fields, parted by tabs"
        case .unreadableLine(let path, let line, .byteOrderMark):
            "\(path):\(line): a byte order mark stands before the entry, which cannot be read for it"
        case .unreadableLine(let path, let line, .fields(let count)):
            "\(path):\(line): the line has \(count) fields that are parted by tabs; a cookie in Netscape's format has seven"
        case .unreadable(let field, let path, let errno):
            "the file \(path) of `\(field)` cannot be read: \(StorageText.systemText(errno))"
        case .bodyChanged(let path): "the file \(path) became shorter or unreadable while it was sent"
        case .tooSlow(let rate, let limit):
            "less than \(rate) bytes a second came over \(limit.words) (min_rate, timeout.stall)"
        case .connectTimeout(let limit): "no connection within \(limit.words) (timeout.connect)"
        case .stalled(let limit): "no byte came for \(limit.words) (timeout.stall)"
        case .attemptTimeout(let limit): "the attempt took longer than \(limit.words) (timeout.attempt)"
        case .totalTimeout(let limit): "the task took longer than \(limit.words) (timeout.total)"
        case .deadline(let limit): "attempts and waits would take longer than \(limit.words) (retry.deadline)"
        case .waitTooLong(let status, let wait, let allowed, let bound):
            (status.map { "the server answered \($0) and asks" } ?? "the server asked an earlier run")
                + " to come back in \(wait.words), later than the \(allowed.words) allowed (\(bound.rawValue))"
        case .askedEarlier: "the server asked an earlier run to leave it alone for a while"
        case .storage(let error): StorageText.sentence(error)
        case .verification(let fault, let evidence): VerificationText.sentence(fault, evidence, redactor)
        case .sizeDiffers(let declared, let wanted):
            "the server declares \(declared) bytes, wanted is the size \(wanted)"
        case .mediaType(let wanted, let got):
            "the server \(got.map { "sends \($0)" } ?? "does not say what it sends"); the job expects \(wanted)"
        case .etagIsNotMD5(let etag):
            "the job says that the ETag is an MD5; the server sent "
                + (etag.map { "ETag: \(SafeText.of(Array($0.utf8)))" } ?? "none")
        case .originDown(let last):
            "not asked again, as the last requests to this server had no reply; the last failed thus: \(sentence(last))"
        case .tooLarge(let size, let limit): "the file has \(size) bytes or more; expect.max_size is \(limit)"
        case .impossible(let what): "internal inconsistency: \(what)"
        default: protocolSentence(cause)
        }
    }

    private func protocolSentence(_ cause: Fault.Cause) -> String {
        switch cause {
        case .bodyTooShort(let received, let expected):
            "the transfer was cut: \(received) of \(expected) bytes came"
        case .bodyNotTaken(let sent, let length):
            "the server told of success before it had the file: \(sent) of \(length) bytes were sent"
        case .noContent(let status): "the server answered \(status), which has no content"
        case .unexpectedStatus(let status, let wanted):
            "the server answered \(status)\(StatusText.reason(status).map { " " + $0 } ?? ""); `expect` asks for status"
                + " \(StatusText.list(wanted))"
        case .notModifiedUnasked: "the server answered 304 Not Modified, which was not asked for"
        case .conflictingLengths: "the reply has two different Content-Length fields"
        case .unclearFraming:
            "the reply has a folded Content-Length or Transfer-Encoding field, or one with a blank before its colon, so that"
                + " the end of the body is unclear"
        case .invalidLength(let text): "the reply has the Content-Length \"\(SafeText.of(Array(text.utf8)))\""
        case .unusablePartial(let text): "the server sent a part that was not asked for (\(text))"
        case .noCloseNotify:
            "the connection ended without the notice that TLS ends with, so that the file may be cut; with a digest "
                + "or a size in the job that can be told"
        case .cannotResume: "the server answers every request for the rest with something else"
        case .redirectWithoutLocation(let status): "the server answered \(status) without saying where to (no Location)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .notRenamed(let text): "the server has the file and does not give it its name (\(text))"
        case .redirectRefused(let target, let why): redirectSentence(target, why)
        default: "failed"
        }
    }

    private func redirectSentence(_ target: String, _ why: Fault.RedirectRefusal) -> String {
        let target = SafeText.of(Array(redactor.url(target).utf8))
        switch why {
        case .scheme(let scheme): return "the server redirects to \(target); \(scheme): is not allowed there"
        case .downgrade: return "the server redirects from https to \(target), which is not encrypted"
        case .secretBody: return "the server redirects to \(target), which must not get the secret in `body`"
        case .unreadable: return "the server redirects to \(withoutUser(target)), which is not a URL"
        case .forbidden(let barrier):
            return "the server redirects to \(target); `hosts` forbids that in line \(barrier.place.line)"
                + " (\(barrier.section))"
        }
    }

    /// A text that was meant for a URL, without what may be user and password in it, wherever those begin.
    private func withoutUser(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return text }
        return Redactor.mask + text[at...]
    }

    private func lowercasedFirst(_ text: String) -> String {
        // "SSL …", "HTTP/2 …", "OpenSSL/3 …" and other names with capitals stay.
        let word = text.prefix { $0 != " " }
        guard let first = word.first, word.count > 1, !word.dropFirst().contains(where: \.isUppercase) else {
            return text
        }
        return first.lowercased() + text.dropFirst()
    }

    // MARK: - Advice

    private func advice(_ fault: Fault) -> String? {
        if let advice = fault.document.flatMap(DocumentText.advice) { return advice }
        switch fault.cause {
        case .storage(let error): return StorageText.advice(error)
        case .verification(let fault, _): return VerificationText.advice(fault)
        case .stalled: return "run again, or raise timeout.stall for slow servers"
        case .connectTimeout: return "check that the server is up, or raise timeout.connect"
        case .waitTooLong(_, _, _, let bound): return "run again later, or raise \(bound.rawValue)"
        case .redirectRefused(_, .downgrade):
            return "ask for a source that stays on https, or write `redirects: {downgrade: true}`"
        case .tooManyRedirects: return "check where the URL leads, or raise `redirects: {max}`"
        case .proxy, .proxyStatus(_, 500...): return "check that the proxy is up, or write `proxy: none`"
        case .proxyStatus(_, 407): return "check the user and password of `proxy`"
        case .proxyStatus: return "check whether the proxy lets this host through, or write `proxy: none`"
        case .unixSocket: return "check `unix_socket`, and that its server is up"
        case .unreadableLine(_, _, .byteOrderMark): return "save the file as UTF-8 without a byte order mark"
        case .unreadableLine(_, _, .fields): return "correct the line, or take it out"
        case .noCookies: return "export the cookies once more as a Netscape cookie file (cookies.txt)"
        case .unreadable(let field, _, _): return "check the path in `\(field)`"
        case .tooSlow: return "run again later, or lower `min_rate`; what was fetched is kept"
        case .transport(60, let text) where text.contains("SSH") || text.contains("ssh session"):
            return "compare the server's host key, then name it in `ssh: {known_hosts}` or `ssh: {pin}`"
        case .transport(let code, let text): if let advice = Self.advice(ofTransport: code, text) { return advice }
        default: break
        }
        return switch fault.faultClass {
        case .tls where fault.isAboutTrust:
            "if the server's authority is one of your own, name its certificate in tls.ca"
        default: nil
        }
    }
}

extension Fault {
    /// Whether a certificate was not trusted (CURLE_PEER_FAILED_VERIFICATION).
    fileprivate var isAboutTrust: Bool {
        if case .transport(60, _) = cause { return true }
        return false
    }

    /// Whether no other source could do better.
    fileprivate var isOfThisMachine: Bool {
        switch faultClass {
        case .disk, .storage, .internal: true
        default: false
        }
    }
}

extension FaultText {
    /// What libcurl's trust errors have to do with the job file (libcurl-errors(3)).
    private static func advice(ofTransport code: Int32, _ text: String) -> String? {
        switch code {
        case 35 where text.contains("protocol version") || text.contains("unsupported protocol"):
            "the server has to speak TLS 1.2 or newer"
        case 35 where text.contains("wrong version number"):
            "what answers at that port speaks no TLS: check the port, or write http:// if no encryption is meant"
        case 35 where text.contains("handshake failure"):
            "client and server have nothing in common, or the server wants a certificate of the client:"
                + " check `tls: {cert, key}`"
        case _ where text.contains(" alert ") && text.contains("certificate"):
            "the server wants a certificate of the client: check `tls: {cert, key}`"
        case 60 where text.contains("does not match") || text.contains("matches target"):
            "the certificate is another host's: check the host in the URL"
        case 60 where text.contains("expired") || text.contains("not yet valid"):
            "the server's certificate has to be renewed, or the clock of this machine is wrong"
        case 77: "`tls.ca` has to be a PEM file with certificates"
        case 58: "check `tls: {cert, key, passphrase}`; cert and key are PEM files that belong together"
        case 90: "if the server's key was changed on purpose, name the new one in `tls: {pin}`"
        case 45: "check `interface`"
        case 26: "check the netrc file, or the file of `body`"
        default: nil
        }
    }
}
