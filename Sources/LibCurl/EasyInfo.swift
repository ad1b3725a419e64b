internal import CLibCurl

extension EasyHandle {
    /// Status of the last reply; 0 before one came.
    ///
    /// For FTP the last reply code.
    package var responseStatus: Int { number(CURLINFO_RESPONSE_CODE) }
    /// `errno` of the last failed system call of this transfer; 0 for none (CURLINFO_OS_ERRNO(3)).
    package var systemErrno: Int32 { Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) }
    /// Connections that this transfer had to open; 0 when it used one that was there.
    package var newConnections: Int { number(CURLINFO_NUM_CONNECTS) }
    /// What the file's certificate check said; 0 for fine (X509_V_OK).
    package var certificateCheck: Int { number(CURLINFO_SSL_VERIFYRESULT) }
    /// Time of an FTP file, in seconds since 1970; nil when unknown.
    package var fileTime: Int64? {
        let seconds = offset(CURLINFO_FILETIME_T)
        return seconds < 0 ? nil : seconds
    }
    /// Bytes that the reply declares; nil when it does not.
    package var declaredLength: Int64? {
        let count = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return count < 0 ? nil : count
    }
    /// libcurl's sentence about this transfer's failure, else its words for the code.
    package func failureText(code: Int32) -> String {
        errorText.isEmpty ? CurlError(.easy, code: code, call: "").text : errorText
    }
    /// `1.0`, `1.1`, `2` or `3`; nil when there was no HTTP reply.
    package var httpVersion: String? {
        switch number(CURLINFO_HTTP_VERSION) {
        case Int(CURL_HTTP_VERSION_1_0): "1.0"
        case Int(CURL_HTTP_VERSION_1_1): "1.1"
        case Int(CURL_HTTP_VERSION_2_0): "2"
        case Int(CURL_HTTP_VERSION_3): "3"
        default: nil
        }
    }

    /// Microseconds from the start to the end of each phase (curl_easy_getinfo(3), TIMES); 0 for a phase left out.
    package var times: EasyTimes {
        EasyTimes(
            nameLookup: offset(CURLINFO_NAMELOOKUP_TIME_T), connect: offset(CURLINFO_CONNECT_TIME_T),
            appConnect: offset(CURLINFO_APPCONNECT_TIME_T), firstByte: offset(CURLINFO_STARTTRANSFER_TIME_T),
            total: offset(CURLINFO_TOTAL_TIME_T))
    }

    /// Microseconds from the start until the request was about to be sent; nil as long as there is no connection.
    package var requestTime: Int64? {
        let time = offset(CURLINFO_PRETRANSFER_TIME_T)
        return time > 0 ? time : nil
    }

    /// Port of this end of the connection; nil where there was none.
    package var localPort: Int? {
        let port = number(CURLINFO_LOCAL_PORT)
        return port > 0 ? port : nil
    }

    /// The socket of a transfer that was to connect and nothing else, and has; nil where it is gone.
    var activeSocket: Int32? {
        var socket = Int32(runner_curl_no_socket)
        guard runner_curl_get_socket(easy, &socket) == CURLE_OK, socket != Int32(runner_curl_no_socket) else {
            return nil
        }
        return socket
    }

    /// Status of a proxy's reply to CONNECT; 0 where there was none.
    package var connectStatus: Int { number(CURLINFO_HTTP_CONNECTCODE) }
    /// Bytes of request heads that were sent.
    package var requestBytes: Int { number(CURLINFO_REQUEST_SIZE) }
    /// Bytes of the request's body that were sent.
    package var uploadedBytes: Int64 { offset(CURLINFO_SIZE_UPLOAD_T) }
    /// Bytes that the request's body has; -1 where that is not known.
    package var bodyLength: Int64 { offset(CURLINFO_CONTENT_LENGTH_UPLOAD_T) }

    /// The cookies that the transfer knows now, as lines of a Netscape jar.
    package var cookies: [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard runner_curl_get_list(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(list) }
        var lines: [String] = []
        var next = list
        while let node = next {
            if let line = node.pointee.data { lines.append(String(cString: line)) }
            next = node.pointee.next
        }
        return lines
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        return runner_curl_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return runner_curl_get_offset(easy, info, &value) == CURLE_OK ? Int64(value) : 0
    }
}

/// Points in time of a transfer, in microseconds since its start.
package struct EasyTimes: Hashable, Sendable {
    package var nameLookup: Int64
    package var connect: Int64
    package var appConnect: Int64
    package var firstByte: Int64
    package var total: Int64

    package static let zero = Self(nameLookup: 0, connect: 0, appConnect: 0, firstByte: 0, total: 0)
}
