internal import LibCurl
internal import RunnerJob

/// A reply whose body may say what is wrong waits for it: the body decides whether to ask again.
extension Exchange {
    /// A reply's head has come.
    func meet(_ head: ReplyHead) -> ReceiveAction {
        var head = head
        // Of a request that is not tunnelled, the proxy's own refusal comes in place of the reply.
        if head.status == 407 { head.refusingProxy = proxy?.url }
        guard mayExplain(head) else { return take(head) }
        phase = .explaining(head, body: [], since: lastActivity)
        return .proceed
    }

    private func mayExplain(_ head: ReplyHead) -> Bool {
        let mayBeError =
            if request.statuses.contains(head.status) {
                head.status < 300 && (request.isUpload || request.body.file != nil)
            } else {
                head.status >= 400 || head.status >= 300 && head.status != 304 && head.location == nil
            }
        guard mayBeError, !request.isHeadOnly, head.declaredLength != 0 else { return false }
        // What an upload is answered with is nobody's file: it can be looked at whatever it says that it is.
        return request.isUpload && head.status < 300 || Self.isXML(head.contentType)
    }

    /// Whether a media type is one of XML (RFC 7303).
    private static func isXML(_ contentType: String?) -> Bool {
        guard let type = contentType?.prefix(while: { $0 != ";" && $0 != " " }).lowercased() else { return false }
        return type == "application/xml" || type == "text/xml" || type.hasSuffix("+xml")
    }

    /// A piece of the body has come.
    func explain(
        _ head: ReplyHead, _ start: [UInt8], _ since: Duration, then piece: UnsafeRawBufferPointer
    ) -> ReceiveAction {
        let room = ErrorDocument.longest - start.count
        guard piece.count > room else {
            phase = .explaining(head, body: start + piece, since: since)
            return .proceed
        }
        guard case .proceed = explain(with: Array(piece.prefix(room))) else { return .abort }
        return received(body: piece)
    }

    /// Hands over the head that was held back, with what the body says, and then the body where it is wanted.
    ///
    /// - Parameter more: what follows the bytes that are held back, only to be looked at.
    func explain(with more: [UInt8] = []) -> ReceiveAction {
        guard case .explaining(var head, let body, _) = phase else { return .proceed }
        head.document = ErrorDocument(body + more)
        phase = .awaitingHead
        guard case .proceed = take(head) else { return .abort }
        guard case .receiving = phase, !body.isEmpty, let owner else { return .proceed }
        missing = missing.map { $0 - Int64(body.count) }
        // Nothing of this reply is on its way to the disk yet, so that there is nothing to wait for.
        guard case .proceed = body.withUnsafeBytes({ owner.exchange(self, received: $0) }) else { return .abort }
        return .proceed
    }
}
