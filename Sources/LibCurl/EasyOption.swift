internal import CLibCurl

/// One option of a transfer, with its value; the names are those of `curl_easy_setopt(3)`.
package struct EasyOption {
    enum Value {
        case number(Int)
        case offset(Int64)
        case text(String?)
        case lines([String])
    }

    let option: CURLoption
    let name: String
    let value: Value

    init(_ option: CURLoption, _ name: String, _ value: Value) {
        self.option = option
        self.name = name
        self.value = value
    }

    package static func url(_ text: String) -> Self { Self(CURLOPT_URL, "CURLOPT_URL", .text(text)) }
    package static func userAgent(_ text: String) -> Self {
        Self(CURLOPT_USERAGENT, "CURLOPT_USERAGENT", .text(text))
    }
    /// First and last byte, both included; nil as last byte for the end.
    package static func range(_ first: Int64, _ last: Int64?) -> Self {
        Self(CURLOPT_RANGE, "CURLOPT_RANGE", .text("\(first)-\(last.map(String.init) ?? "")"))
    }
    /// Ask for the head of a reply alone: HEAD, and with FTP the size and the time.
    package static func headOnly(_ headOnly: Bool) -> Self {
        Self(CURLOPT_NOBODY, "CURLOPT_NOBODY", .number(headOnly ? 1 : 0))
    }
    /// Whole lines `Name: value`; `Name;` sends an empty value and `Name:` takes a field of libcurl's out.
    package static func headers(_ lines: [String]) -> Self {
        Self(CURLOPT_HTTPHEADER, "CURLOPT_HTTPHEADER", .lines(lines))
    }
    /// Schemes that the URL may have, such as `http,https`.
    package static func protocols(_ names: String) -> Self {
        Self(CURLOPT_PROTOCOLS_STR, "CURLOPT_PROTOCOLS_STR", .text(names))
    }
    package static func followLocation(_ follows: Bool) -> Self {
        Self(CURLOPT_FOLLOWLOCATION, "CURLOPT_FOLLOWLOCATION", .number(follows ? 1 : 0))
    }
    package static func connectTimeout(milliseconds: Int) -> Self {
        Self(CURLOPT_CONNECTTIMEOUT_MS, "CURLOPT_CONNECTTIMEOUT_MS", .number(milliseconds))
    }
    /// Do not wait for a name look-up that hangs when the handle goes.
    package static func quickExit(_ quick: Bool) -> Self {
        Self(CURLOPT_QUICK_EXIT, "CURLOPT_QUICK_EXIT", .number(quick ? 1 : 0))
    }
    /// HTTP/2 over TLS where the server has it, HTTP/1.1 elsewhere.
    package static var preferHTTP2: Self {
        Self(CURLOPT_HTTP_VERSION, "CURLOPT_HTTP_VERSION", .number(Int(CURL_HTTP_VERSION_2TLS)))
    }
    /// Wait for a connection that may turn out to carry several streams instead of opening another.
    package static func waitForMultiplexing(_ waits: Bool) -> Self {
        Self(CURLOPT_PIPEWAIT, "CURLOPT_PIPEWAIT", .number(waits ? 1 : 0))
    }
    /// TLS 1.2 at least.
    package static var minimumTLS12: Self {
        Self(CURLOPT_SSLVERSION, "CURLOPT_SSLVERSION", .number(Int(CURL_SSLVERSION_TLSv1_2)))
    }
    package static func certificateAuthorities(file: String) -> Self {
        Self(CURLOPT_CAINFO, "CURLOPT_CAINFO", .text(file))
    }
    package static func certificateAuthorities(folder: String) -> Self {
        Self(CURLOPT_CAPATH, "CURLOPT_CAPATH", .text(folder))
    }
    package static func user(_ name: String) -> Self { Self(CURLOPT_USERNAME, "CURLOPT_USERNAME", .text(name)) }
    package static func password(_ text: String) -> Self { Self(CURLOPT_PASSWORD, "CURLOPT_PASSWORD", .text(text)) }
    /// Basic only: the credentials are sent with the first request.
    package static var basicAuth: Self { Self(CURLOPT_HTTPAUTH, "CURLOPT_HTTPAUTH", .number(Int(1 << 0))) }
    /// Size of the receive buffer in bytes, 1 KiB to 10 MiB.
    package static func bufferSize(_ bytes: Int) -> Self {
        Self(CURLOPT_BUFFERSIZE, "CURLOPT_BUFFERSIZE", .number(bytes))
    }
    package static func tcpKeepAlive(_ on: Bool) -> Self {
        Self(CURLOPT_TCP_KEEPALIVE, "CURLOPT_TCP_KEEPALIVE", .number(on ? 1 : 0))
    }
    /// Ask an FTP server for the time of the file, and report it.
    package static func fileTime(_ asks: Bool) -> Self {
        Self(CURLOPT_FILETIME, "CURLOPT_FILETIME", .number(asks ? 1 : 0))
    }
    /// Keep a proxy's answer to CONNECT out of the header lines.
    package static func suppressConnectHeaders(_ suppresses: Bool) -> Self {
        Self(CURLOPT_SUPPRESS_CONNECT_HEADERS, "CURLOPT_SUPPRESS_CONNECT_HEADERS", .number(suppresses ? 1 : 0))
    }
    /// Keep the path as it is written: `..` and `.` are the server's affair.
    package static func pathAsIs(_ asIs: Bool) -> Self {
        Self(CURLOPT_PATH_AS_IS, "CURLOPT_PATH_AS_IS", .number(asIs ? 1 : 0))
    }
}
