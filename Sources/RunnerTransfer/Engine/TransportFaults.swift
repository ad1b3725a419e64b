import RunnerJob

/// The meaning of libcurl's results (libcurl-errors(3)) as error classes.
enum TransportFaults {
    /// - Parameters:
    ///   - code: CURLcode, not 0.
    ///   - text: libcurl's sentence.
    ///   - systemErrno: of the last system call; 0 for none.
    static func fault(code: Int32, text: String, systemErrno: Int32) -> Fault {
        Fault(faultClass(code, text, systemErrno), .transport(code: code, text: text))
    }

    private static func faultClass(_ code: Int32, _ text: String, _ systemErrno: Int32) -> FaultClass {
        switch code {
        case 6, 5: .dns
        case 7, 97: .connect
        case 28: .timeout
        case 18: .truncated
        case 55: .reset
        // The same code stands for a lost connection and for bad chunks; only the sentence tells them apart.
        case 56:
            text.hasSuffix("chunked-encoding")
                ? .protocol : systemErrno == 0 && text.contains("CONNECT") ? .connect : .reset
        case 1: text.contains("HTTP/0.9") ? .protocol : .client
        case 3: .client
        case 8, 16, 52, 61, 81, 92, 94: .protocol
        case 35: systemErrno == 0 && !isCutHandshake(text) ? .tls : .reset
        case 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
        case 9, 67: .auth
        case 19, 78: .notFound
        case 10, 11, 12, 13, 14, 15, 17, 30, 31, 36, 84, 85, 86, 87: .protocol
        case 47: .redirect
        case 63: .tooLarge
        default: .internal
        }
    }
    /// OpenSSL has no error number of the system when the peer closes in mid-handshake, only these words.
    private static func isCutHandshake(_ text: String) -> Bool {
        text.contains("SSL_ERROR_SYSCALL") || text.contains("unexpected eof")
    }
}
