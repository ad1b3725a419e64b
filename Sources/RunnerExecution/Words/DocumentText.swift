import RunnerJob
import RunnerStorage
import RunnerTransfer

/// What a store says of an error, in words.
enum DocumentText {
    private static let longest = 240

    /// The code, and the store's own message; it is masked before it is cut, since half a secret is not known for one.
    static func words(_ document: ErrorDocument, _ redactor: Redactor) -> String {
        let message = SafeText.of(Array(redactor.text(document.message ?? "").utf8), limit: longest)
        return message.isEmpty ? document.code : "\(document.code), \"\(message)\""
    }

    /// What can be done about the codes that speak of who asks, when, and where.
    static func advice(_ document: ErrorDocument) -> String? {
        switch document.code {
        case "RequestTimeTooSkewed": "set the clock of this machine"
        case "SignatureDoesNotMatch", "InvalidAccessKeyId":
            "check `access_key` and `secret_key` of `auth: {aws_sigv4}`"
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
            "get new credentials, and name their token in `session_token` of `auth: {aws_sigv4}`"
        case "AuthorizationHeaderMalformed", "PermanentRedirect":
            "check `region` of `auth: {aws_sigv4}`, and the host of the URL"
        case "RequestExpired": "get a new signed URL"
        default: nil
        }
    }
}
