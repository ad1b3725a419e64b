/// The class of a failure: decides whether it is retried, what the run's exit status is, and what a report says.
///
/// The raw values are words of the job file (`retry: {on: […]}`) and of the report; they never change meaning.
public enum FaultClass: String, CaseIterable, Sendable {
    /// The network: name look-up, connection, reset, an expired limit, silence, a short body, broken framing.
    case dns, connect, reset, timeout, stall, truncated, `protocol`
    /// The server, for now: 429 or 503 with Retry-After; 408, 425 and most 5xx.
    case rateLimited = "rate_limited"
    case server
    /// The request: 404 and 410; 401, 403, 407, 511; other 4xx, 501, 505, 506, 510.
    case notFound = "not_found"
    case auth, client
    /// Certificate, pin or host key.
    case tls
    /// The bytes: digest or size; expectations.
    case integrity, content
    /// This path: a folder in the way, permission, a link out of the directory.
    case disk
    /// This machine: no space, quota, I/O error, read-only file system.
    case storage
    case redirect
    case tooLarge = "too_large"
    case archive, command, input, locked, `internal`
}
