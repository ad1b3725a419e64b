internal import LibExpat
package import RunnerJob

/// What a store of the kind of S3 says of an error in the body of its reply: `<Error><Code>SlowDown</Code>…`.
package struct ErrorDocument: Hashable, Sendable {
    package var code: String
    /// In the store's words; may hold secrets, and anything else.
    package var message: String?

    /// Bytes of a body that are looked at.
    static let longest = 8 << 10
    private static let longestCode = 64

    /// - Parameter bytes: the body, or its beginning; nil comes of one that names no code.
    package init?(_ bytes: [UInt8]) {
        var reader = Reader()
        for event in XMLEvents.read(bytes) { reader.take(event) }
        guard let code = reader.code, code.utf8.count <= Self.longestCode, !code.isEmpty,
            code.utf8.allSatisfy(Self.isOfCode)
        else { return nil }
        self.code = code
        message = reader.message
    }

    private static func isOfCode(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    /// Finds the two texts among the elements; one that is cut off does not count, as half a secret is no longer
    /// known for one.
    private struct Reader {
        var code: String?
        var message: String?
        private var path: [Substring] = []
        private var text = ""

        mutating func take(_ event: XMLEvent) {
            switch event {
            case .start(let name):
                // The prefix of a namespace is any.
                path.append(name[(name.lastIndex(of: ":").map { name.index(after: $0) } ?? name.startIndex)...])
                text = ""
            case .text(let piece): text += piece
            case .end:
                // `ErrorResponse` is what the other services of that kind put around it.
                if path.dropLast() == ["Error"] || path.dropLast() == ["ErrorResponse", "Error"] { note(path.last) }
                _ = path.popLast()
                text = ""
            }
        }

        private mutating func note(_ name: Substring?) {
            switch name {
            case "Code": code = code ?? text
            case "Message": message = message ?? text
            default: break
            }
        }
    }

    /// The class that the code stands for, whatever the status is; nil for a code that is not known.
    package var faultClass: FaultClass? {
        switch code {
        case "SlowDown", "SlowDownRead", "SlowDownWrite", "Throttling", "ThrottlingException", "ThrottledException",
            "RequestThrottled", "RequestThrottledException", "RequestLimitExceeded", "TooManyRequests",
            "TooManyRequestsException", "BandwidthLimitExceeded", "ServerBusy", "Busy":
            .rateLimited
        case "InternalError", "InternalFailure", "ServiceUnavailable", "RequestTimeout", "RequestTimeoutException",
            "OperationTimedOut", "OperationAborted", "PriorRequestNotComplete", "ServiceFailure":
            .server
        case "NoSuchKey", "NoSuchBucket", "NoSuchVersion", "NoSuchUpload", "BlobNotFound", "ContainerNotFound",
            "ResourceNotFound":
            .notFound
        case "AccessDenied", "AllAccessDisabled", "AccountProblem", "AuthorizationHeaderMalformed", "ExpiredToken",
            "InvalidAccessKeyId", "InvalidSecurity", "InvalidToken", "MissingSecurityHeader", "NotSignedUp",
            "RequestExpired", "RequestTimeTooSkewed", "SignatureDoesNotMatch", "TokenRefreshRequired",
            "AuthenticationFailed", "AuthorizationFailure", "AuthorizationPermissionMismatch":
            .auth
        default: nil
        }
    }
}
