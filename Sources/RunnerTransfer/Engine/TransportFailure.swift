import LibCurl

#if canImport(Glibc)
    import Glibc
#endif

/// Why a request did not come to its end, as libcurl numbers it and says it (libcurl-errors(3)).
struct TransportFailure: Hashable {
    /// CURLcode, not 0.
    var code: Int32
    var text: String
    /// Of the last system call; 0 for none.
    var systemErrno: Int32 = 0

    init(code: Int32, text: String, systemErrno: Int32 = 0) {
        self.code = code
        self.text = text
        self.systemErrno = systemErrno
    }

    init(_ handle: EasyHandle, code: Int32) {
        self.init(code: code, text: handle.failureText(code: code), systemErrno: handle.systemErrno)
    }

    /// A system call that failed; its code is that of CURLE_SEND_ERROR, CURLE_RECV_ERROR or another one.
    static func system(code: Int32, _ what: String, errno: Int32) -> Self {
        let words = strerror(errno).map { String(cString: $0) } ?? "errno \(errno)"
        return Self(code: code, text: "\(what): \(words)", systemErrno: errno)
    }

    /// CURLE_WRITE_ERROR: the owner did not want what came.
    static let refused = Self(code: 23, text: "Failed writing received data to disk/application")
}
