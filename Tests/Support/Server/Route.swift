/// Which requests a script answers, and how.
package struct Route: Sendable {
    /// The beginning of the request target.
    package let prefix: String
    /// The method; `nil` means any.
    package let method: String?
    /// Which of the requests that meet all other conditions, counted from 1; `nil` means all.
    package let nth: ClosedRange<Int>?
    /// With (`true`) or without (`false`) a Range field; `nil` means either.
    package let ranged: Bool?
    /// A further condition on the request.
    package let condition: (@Sendable (RecordedRequest) -> Bool)?
    /// What to do.
    package let steps: [Step]

    /// Whether everything but the count fits.
    func fits(_ request: RecordedRequest) -> Bool {
        guard request.target.hasPrefix(prefix) else { return false }
        if let method, request.method != method { return false }
        if let ranged, ranged != (request.header("Range") != nil) { return false }
        return condition?(request) ?? true
    }
}
