package import RunnerJob
package import RunnerStorage

/// Why an attempt broke off or a transfer failed: class, cause, and what is known of the circumstances.
package struct Fault: Error, Hashable, Sendable {
    package var faultClass: FaultClass
    package var cause: Cause
    /// Seconds that the server asked to be left alone (Retry-After), counted from the reply.
    package var retryAfter: Duration?
    /// Whether nothing that the server could act on was sent.
    package var isBeforeSending: Bool
    /// Whether the origin refused the request because all together ask too often, so that it is no attempt of its own.
    package var isAboutPace = false
    /// What a store says of it in the body of its reply.
    package var document: ErrorDocument?

    package init(
        _ faultClass: FaultClass, _ cause: Cause, retryAfter: Duration? = nil, isBeforeSending: Bool = false
    ) {
        self.faultClass = faultClass
        self.cause = cause
        self.retryAfter = retryAfter
        self.isBeforeSending = isBeforeSending
    }

    /// Whether the connection may be dead, although nobody has closed it; one of HTTP/2 serves other requests too.
    var isSilence: Bool { faultClass == .stall || faultClass == .timeout }

    /// What happened.
    ///
    /// Becomes words in RunnerExecution's `FaultText`, nowhere else.
    package enum Cause: Hashable, Sendable {
        /// A status that is no success.
        case status(Int)
        /// A success, but none that `expect` names.
        case unexpectedStatus(Int, wanted: Set<Int>)
        /// An earlier run was asked to leave the server alone for a while.
        case askedEarlier
        /// A failure that libcurl tells of; `text` is its sentence.
        case transport(code: Int32, text: String)
        /// The way through a proxy, without user and password; nil where the environment names something else.
        case proxy(String?, code: Int, text: String)
        /// A unix socket that nobody listens on.
        case unixSocket(path: String, errno: Int32)
        /// A file that has been sent whole does not get its name; `text` is libcurl's sentence.
        case notRenamed(text: String)
        /// A proxy's answer to CONNECT, or that it wants a password.
        case proxyStatus(String, Int)
        /// A file that a field of the task names.
        case unreadable(field: String, path: String, errno: Int32)
        /// A cookie jar in a format that libcurl passes over, line by line.
        case noCookies(path: String)
        /// A line of a cookie jar or a netrc file that libcurl would pass over.
        case unreadableLine(path: String, line: Int, why: LineFlaw)
        /// A file that could not be read to the end that it had when its length was promised.
        case bodyChanged(path: String)
        /// The server told of a success before it had the body, which an upload is about (RFC 9110 section 10.1.1).
        case bodyNotTaken(sent: Int64, of: Int64)
        /// Less than `min_rate` came over a whole `timeout.stall`.
        case tooSlow(rate: Int64, over: Duration)
        case connectTimeout(Duration)
        case stalled(Duration)
        case attemptTimeout(Duration)
        case totalTimeout(Duration)
        case deadline(Duration)
        /// The server asks to wait longer than the job allows, or than there is time.
        ///
        /// Without a status it was an earlier run that the server asked.
        case waitTooLong(status: Int?, Duration, allowed: Duration, by: WaitBound = .maxWait)
        /// A body that ended before its declared end.
        case bodyTooShort(received: Int64, expected: Int64)
        /// A connection of TLS that ended in the midst of a reply without close_notify (RFC 8446 section 6.1).
        case noCloseNotify
        case noContent(Int)
        case notModifiedUnasked
        case conflictingLengths
        case unclearFraming
        case invalidLength(String)
        case unusablePartial(String)
        case cannotResume(times: Int)
        case redirectWithoutLocation(Int)
        case tooManyRedirects(Int)
        case redirectRefused(to: String, why: RedirectRefusal)
        /// The head of a reply declares another size than the job asks for.
        case sizeDiffers(declared: Int64, wanted: Int64)
        case mediaType(wanted: String, got: String?)
        /// The job says that the entity tag is an MD5, and it is none.
        case etagIsNotMD5(String?)
        case verification(Verification.Fault, Evidence)
        case storage(StorageError)
        /// Not asked at all: the last requests to the origin had no reply; the cause is that of the last one.
        indirect case originDown(Cause)
        case tooLarge(size: Int64, limit: Int64)
        /// A pair of state and event that cannot happen.
        case impossible(String)
    }

    /// Why a line of a file cannot be read.
    package enum LineFlaw: Hashable, Sendable {
        case byteOrderMark
        /// A cookie that has not seven fields.
        case fields(Int)
    }

    /// The field of the job that a wait is too long for.
    package enum WaitBound: String, Hashable, Sendable {
        case maxWait = "retry.max_wait"
        case deadline = "retry.deadline"
        case total = "timeout.total"
    }

    /// Why a redirect is not followed.
    package enum RedirectRefusal: Hashable, Sendable {
        case scheme(String)
        case downgrade
        /// The request's body holds a secret, and would go to another origin.
        case secretBody
        case unreadable
        /// A section of `hosts`.
        case forbidden(HostAccess)
    }

    /// What the reply looked like that bad bytes came in.
    package struct Evidence: Hashable, Sendable {
        /// After redirects; may hold secrets, so it is masked before it is shown.
        package var url: String
        package var status: Int
        package var contentType: String?
        package var contentEncoding: String?

        package init(url: String, status: Int, contentType: String?, contentEncoding: String? = nil) {
            self.url = url
            self.status = status
            self.contentType = contentType
            self.contentEncoding = contentEncoding
        }
    }
}
