import LibCurl

/// Who carries a request out.
enum ExchangeWay {
    case libcurl(EasyHandle)
    case plain(PlainPassage)
}

/// What an exchange asks of whoever carries it out.
extension ExchangeWay {
    var handle: EasyHandle? {
        if case .libcurl(let handle) = self { return handle }
        return nil
    }

    var times: EasyTimes {
        switch self {
        case .libcurl(let handle): handle.times
        case .plain(let passage): passage.times
        }
    }

    /// `1.0`, `1.1`, `2` or `3`; nil when there was no HTTP reply.
    var httpVersion: String? {
        switch self {
        case .libcurl(let handle): handle.httpVersion
        case .plain(let passage): passage.reader.version
        }
    }

    /// Port of this end of the connection; nil where there was none.
    var localPort: Int? {
        switch self {
        case .libcurl(let handle): handle.localPort
        case .plain(let passage): passage.localPort
        }
    }

    /// OpenSSL's connection that the reply comes over; nil for none, or with another library.
    var tlsConnection: UInt? {
        switch self {
        case .libcurl(let handle): handle.tlsConnection
        case .plain(let passage): passage.connection?.tlsConnection
        }
    }

    /// Microseconds from the start until the request was about to be sent; nil as long as there is no connection.
    var requestTime: Int64? {
        switch self {
        case .libcurl(let handle): handle.requestTime
        case .plain(let passage): passage.requestTime
        }
    }

    /// Bytes of request heads that were sent.
    var requestBytes: Int {
        switch self {
        case .libcurl(let handle): handle.requestBytes
        case .plain(let passage): passage.sent
        }
    }

    /// Bytes of the request's body that were sent.
    var uploadedBytes: Int64 { handle?.uploadedBytes ?? 0 }
    /// Bytes that the request's body has; -1 where that is not known.
    var bodyLength: Int64 { handle?.bodyLength ?? 0 }
}
