internal import LibCurl
import RunnerJob

/// The meaning of libcurl's results (libcurl-errors(3)) as error classes.
enum TransportFaults {
    static func fault(of exchange: Exchange, _ failure: TransportFailure) -> Fault {
        let (code, text) = (failure.code, failure.text)
        let request = exchange.request
        var fault: Fault
        if exchange.hasEndlessTrailer {
            let ceiling = "more than \(HeadParser.longestTrailer >> 10) KiB"
            fault = Fault(.protocol, .transport(code: code, text: "the fields behind the body are \(ceiling)"))
        } else if code == 42, let path = request.body.file {
            // CURLE_ABORTED_BY_CALLBACK: the only callback that aborts is the one that reads the body.
            fault = Fault(.input, .bodyChanged(path: path))
        } else if !exchange.hasHead, exchange.hasSent, let text = headFault(code) {
            fault = Fault(.protocol, .transport(code: code, text: text))
        } else if code == 21, case .staged = request.naming {
            // CURLE_QUOTE_ERROR: the file is there, and is not renamed.
            fault = Fault(.protocol, .notRenamed(text: text))
        } else if code == 26, case .netrc(let netrc) = request.auth {
            let place = netrc.file ?? "the netrc file"
            fault = Fault(.input, .transport(code: code, text: "\(place): \(text)"))
        } else if code == 7, request.isTrusted, let socket = request.network.unixSocket {
            // libcurl's sentence names the host and port that the socket stands in for.
            fault = Fault(.connect, .unixSocket(path: socket, errno: failure.systemErrno))
        } else if let proxy = proxyFault(of: exchange, code: code, text: text) {
            fault = proxy
        } else if code == 28 {
            // CURLE_OPERATION_TIMEDOUT can only be the limit on connecting; the others are the engine's own.
            fault = Fault(.timeout, .connectTimeout(request.timeout.connect))
        } else {
            fault = Self.fault(
                code: code, text: text, systemErrno: failure.systemErrno, scheme: request.url.origin.scheme)
        }
        fault.isBeforeSending = !exchange.hasSent
        return fault
    }

    /// - Parameters:
    ///   - code: CURLcode, not 0.
    ///   - text: libcurl's sentence.
    ///   - systemErrno: of the last system call; 0 for none.
    ///   - scheme: of the URL.
    static func fault(code: Int32, text: String, systemErrno: Int32, scheme: String = "http") -> Fault {
        Fault(faultClass(code, text, systemErrno, scheme: scheme), .transport(code: code, text: text))
    }

    /// The fault when it is the way through a proxy that failed; nil when it is something behind it.
    private static func proxyFault(of exchange: Exchange, code: Int32, text: String) -> Fault? {
        guard let proxy = exchange.proxy else { return nil }
        let status = exchange.way.handle?.connectStatus ?? 0
        if status >= 300 {
            let isPutOff = status == 429 || status == 503
            return Fault(
                faultClass(ofConnect: status), .proxyStatus(proxy.url, status),
                retryAfter: isPutOff ? exchange.tunnelRetryAfter : nil)
        }
        let host = proxy.host.filter { $0 != "[" && $0 != "]" }
        let isProxy =
            switch code {
            case 5, 97: true
            case 7: text.contains("\(host) port \(proxy.port)")
            case 28, 56: text.contains("CONNECT") || text.contains("roxy")
            default: false
            }
        guard isProxy else { return nil }
        return Fault(code == 28 ? .timeout : .connect, .proxy(proxy.url, code: Int(code), text: text))
    }

    /// What a proxy's answer to CONNECT means: what it cannot do for now is asked again.
    private static func faultClass(ofConnect status: Int) -> FaultClass {
        switch status {
        case 401, 403, 407, 511: .auth
        case 400..<500 where status != 408 && status != 425 && status != 429: .client
        default: .connect
        }
    }

    /// What a result means that stands for an error of this program anywhere but before the end of a reply's head.
    ///
    /// - Parameter code: CURLcode.
    private static func headFault(_ code: Int32) -> String? {
        switch code {
        // CURLE_WRITE_ERROR: bytes of a body came, which were refused.
        case 23: "the server sent a body without the head of a final reply"
        // CURLE_OUT_OF_MEMORY, which is also what libcurl calls a field of more than 100 KiB (lib/urldata.h).
        case 27: "the head of the reply is too large"
        // CURLE_BAD_FUNCTION_ARGUMENT: a line that ends before its colon (Curl_headers_push in lib/headers.c).
        case 43: "the head of the reply has a line that is no field"
        default: nil
        }
    }

    private static func faultClass(
        _ code: Int32, _ text: String, _ systemErrno: Int32, scheme: String
    ) -> FaultClass {
        switch code {
        // An FTP server that does not know the folder, which libcurl calls denied access.
        case 9 where scheme == "ftp" && text.contains("directory"): .notFound
        // A netrc file that is broken, or a body that can no longer be read.
        case 26: .input
        // An interface or address that this machine does not have.
        case 45: .client
        case 79: .protocol
        case 6, 5: .dns
        case 7, 97: .connect
        case 28: .timeout
        case 18: .truncated
        // With TLS 1.3 a server refuses the client's certificate only after the handshake.
        case 55 where refusesCertificate(text), 56 where refusesCertificate(text): .tls
        case 55: .reset
        // The same code stands for a lost connection and for bad chunks; only the sentence tells them apart.
        case 56:
            text.hasSuffix("chunked-encoding")
                ? .protocol : systemErrno == 0 && text.contains("CONNECT") ? .connect : .reset
        // Also what a first line is called that libcurl cannot read.
        case 1: text.contains("HTTP") ? .protocol : .client
        // A field behind the body that is none (Curl_headers_push in libcurl's lib/headers.c).
        case 43 where text.contains("chunked-encoded"): .protocol
        case 3: .client
        case 8, 16, 52, 61, 81, 92, 94: .protocol
        case 35: systemErrno == 0 && !isCutHandshake(text) ? .tls : .reset
        case 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
        case 9, 67: .auth
        case 25: faultClass(ofUpload: text)
        // The server has no room, or a file of that name that it does not replace.
        case 70: .server
        case 73: .client
        case 19, 78: .notFound
        case 10, 11, 12, 13, 14, 15, 17, 30, 31, 36, 84, 85, 86, 87: .protocol
        case 47: .redirect
        case 63: .tooLarge
        default: .internal
        }
    }

    /// What an FTP server's refusal to store a file means: its code (RFC 959 section 4.2) ends libcurl's sentence.
    private static func faultClass(ofUpload text: String) -> FaultClass {
        let code = text.split(separator: " ").last.flatMap { Int($0) } ?? 0
        return switch code {
        case 400..<500: .server
        case 530, 532, 550, 553: .auth
        default: .client
        }
    }

    /// Whether the server ended the connection for want of a certificate that it trusts (RFC 8446 section 6.2).
    private static func refusesCertificate(_ text: String) -> Bool {
        text.contains(" alert ")
            && ["certificate", "unknown ca", "access denied"].contains { text.contains($0) }
    }

    /// OpenSSL has no error number of the system when the peer closes in mid-handshake, only these words.
    private static func isCutHandshake(_ text: String) -> Bool {
        text.contains("SSL_ERROR_SYSCALL") || text.contains("unexpected eof")
    }
}
