internal import LibCurl
import RunnerJob

/// Says in libcurl's options what a ``WireRequest`` is.
///
/// An option that libcurl refuses ends the request, so that nothing a job asks for is silently left out.
struct RequestOptions {
    let handle: EasyHandle
    let request: WireRequest
    let environment: NetworkEnvironment

    private static let sendBuffer = 512 << 10

    private var scheme: String { request.url.origin.scheme }
    private var network: NetworkSettings { request.network }

    func apply(_ payload: RequestPayload) throws(CurlError) {
        let commands = request.naming.flatMap { NamingCommands($0, for: request.url) }
        try handle.set(.url(withUser(commands?.url ?? request.wireURL)))
        try handle.set(.protocols(scheme))
        try handle.set(.followLocation(false))
        try handle.set(.quickExit(true))
        try handle.set(.pathAsIs(true))
        try handle.set(.connectTimeout(milliseconds: request.timeout.connect.wholeMilliseconds))
        if request.isHeadOnly { try handle.set(.headOnly(true)) }
        if request.offset > 0 || request.end != nil {
            try handle.set(.range(request.offset, request.end.map { $0 - 1 }))
        }
        try setWay()
        try setProxy()
        try setAuth()
        if request.url.origin.isHTTP {
            try setHTTP(payload)
        } else if case .file(let file) = payload {
            try handle.setBody(file, length: file.length)
            try handle.set(.createFolders)
            if let rate = request.sendRate { try handle.set(.sendRate(rate)) }
            if let commands { try handle.set(.afterwards(commands.afterwards)) }
        } else if let commands {
            try handle.set(.afterwards(commands.afterwards))
        } else {
            try handle.set(.fileTime(true))
        }
        if scheme == "https" { try setTLS() }
        if scheme == "sftp" {
            try setSSH()
            try setSSHKey()
        }
    }

    // MARK: The way

    private func setWay() throws(CurlError) {
        switch network.addressFamily {
        case .v4: try handle.set(.onlyIPv4)
        case .v6: try handle.set(.onlyIPv6)
        case .any: break
        }
        if let interface = network.interface { try handle.set(.interface(interface)) }
        // A redirect to another origin must not be answered by whoever listens on this one's socket.
        if let socket = network.unixSocket, request.isTrusted { try handle.set(.unixSocket(socket)) }
    }

    /// Always set, since libcurl would look into the environment otherwise.
    private func setProxy() throws(CurlError) {
        try handle.set(.suppressConnectHeaders(true))
        guard case .server(let proxy) = proxy else {
            try handle.set(.proxy(""))
            return
        }
        try handle.set(.proxy(proxy.url))
        try handle.set(.noProxy(environment.noProxy))
        if let own = proxy.credentials {
            try handle.set(.proxyUser(own.user))
            try handle.set(.proxyPassword(own.password))
        }
        // Only what is no plain HTTP goes through a tunnel (RFC 9110 section 9.3.6).
        if scheme != "http", proxy.scheme == .http || proxy.scheme == .https { try handle.collectTunnelHead() }
        if proxy.scheme == .https { try environment.trust.applyToProxy(of: handle, own: network.tls.authorities) }
    }

    private var proxy: ProxyChoice {
        if network.unixSocket != nil, request.isTrusted { return .none }
        return environment.proxy(of: network, for: scheme)
    }

    // MARK: Who asks

    private func setAuth() throws(CurlError) {
        switch request.auth {
        case .basic(let user, let password):
            try handle.set(.basicAuth)
            try setUser(user, password)
        case .digest(let user, let password):
            try handle.set(.digestAuth)
            try setUser(user, password)
        case .netrc(let netrc):
            try handle.set(.netrc)
            if let file = netrc.file ?? environment.netrc { try handle.set(.netrc(file: file)) }
        case .signature(let key):
            try handle.set(.signature(region: key.region, service: key.service))
            try setUser(key.accessKey, key.secretKey)
        case .bearer, nil:
            break
        }
        switch request.cookies {
        case .none: break
        case .file(let path): try handle.set(.cookies(file: path ?? ""))
        case .lines(let lines):
            try handle.set(.cookies(file: ""))
            for line in lines { try handle.set(.cookie(line)) }
        }
    }

    /// The user of a URL chooses among the entries that a netrc file has of its host.
    ///
    /// libcurl must have it from the URL: one that CURLOPT_USERNAME names keeps it from looking into the file
    /// (override_login in lib/url.c).
    private func withUser(_ url: String) -> String {
        guard case .netrc = request.auth, let user = request.url.credentials?.user, !user.isEmpty else { return url }
        do throws(URLError) {
            var parts = try URLParts(url)
            try parts.set(.user, to: user, isEscaped: false)
            return try parts.text(.url) ?? url
        } catch {
            return url
        }
    }

    private func setUser(_ user: String, _ password: String) throws(CurlError) {
        try handle.set(.user(user))
        try handle.set(.password(password))
    }

    // MARK: HTTP

    private func setHTTP(_ payload: RequestPayload) throws(CurlError) {
        try handle.set(.userAgent(request.userAgent))
        try handle.set(.headers(request.headerLines))
        switch payload {
        case .none:
            // RFC 9110 section 8.6: a POST or PUT without a body says that it is empty.
            if ["POST", "PUT", "PATCH"].contains(request.method) { try setText("") }
        case .text(let text): try setText(text)
        case .file(let file):
            try handle.set(.sendBuffer(Self.sendBuffer))
            try handle.setBody(file, length: file.length)
        case .form(let form):
            try handle.set(.sendBuffer(Self.sendBuffer))
            try handle.setForm(form)
        }
        if let rate = request.sendRate { try handle.set(.sendRate(rate)) }
        if request.method != "GET" { try handle.set(.method(request.method)) }
        switch network.httpVersion {
        case .http10: try handle.set(.onlyHTTP10)
        case .http11: try handle.set(.onlyHTTP11)
        case .http2 where scheme == "http": try handle.set(.assumeHTTP2)
        case .http3 where scheme == "https": try handle.set(.preferHTTP3)
        default: if scheme == "https" { try handle.set(.preferHTTP2) }
        }
        if scheme == "https" { try handle.set(.waitForMultiplexing(true)) }
    }

    private func setText(_ text: String) throws(CurlError) {
        try handle.set(.bodyLength(text.utf8.count))
        try handle.set(.body(text))
    }

    // MARK: Who answers

    private func setTLS() throws(CurlError) {
        let tls = network.tls
        try handle.set(.minimumTLS12)
        try environment.trust.apply(to: handle, own: tls.authorities)
        // Pins and the client's certificate are meant for the task's own server.
        guard request.isTrusted else { return }
        if !tls.pins.isEmpty { try handle.set(.pinnedKey(tls.pins.joined(separator: ";"))) }
        if let certificate = tls.certificate {
            try handle.set(.clientCertificate(file: certificate))
            try handle.set(.clientKey(file: tls.key ?? certificate))
            // Without any, OpenSSL would ask at the terminal, and everything would wait for whoever is not there.
            try handle.set(.keyPassphrase(tls.passphrase ?? ""))
        }
    }

    /// Without either of them libcurl would trust any host key; a known_hosts file that is not there knows none.
    private func setSSH() throws(CurlError) {
        if let pin = network.ssh.pin {
            try handle.set(.hostKey(sha256: pin))
        } else {
            try handle.set(.knownHosts(file: network.ssh.knownHosts ?? environment.knownHosts ?? "/dev/null"))
        }
    }

    private func setSSHKey() throws(CurlError) {
        guard let key = network.ssh.key else { return }
        try handle.set(.sshKey(file: key))
        if let passphrase = network.ssh.passphrase { try handle.set(.keyPassphrase(passphrase)) }
    }

    /// The proxy that stands between, unless the environment excepts the host.
    var proxyInUse: ProxyServer? {
        if case .server(let server) = proxy { return server }
        return nil
    }

    /// Whether a variable of the environment names what is no proxy.
    var hasUnreadableProxy: Bool { proxy == .unreadable }
}
