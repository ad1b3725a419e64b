/// The way to a server; one value is shared by all tasks that say nothing of their own.
public typealias NetworkSettings = SharedValue<NetworkFields>

extension SharedValue where Value == NetworkFields {
    public static let standard = NetworkSettings(NetworkFields())
}

/// How a server is reached, and how it shows who it is.
public struct NetworkFields: Hashable, Sendable {
    public var proxy = Proxy.environment
    public var tls = TLSFields()
    public var ssh = SSHFields()
    /// Absolute path of a cookie jar that is read before the first request (Netscape's format); nil for none.
    public var cookies: String?
    /// Absolute path that the cookies are written to after success; nil for none.
    public var savedCookies: String?
    public var addressFamily = AddressFamily.any
    /// nil for 1.1, and over TLS for HTTP/2 where a server has it and the request is not plain.
    public var httpVersion: HTTPVersion?
    /// Network interface, host name or address that connections leave from; nil for the system's choice.
    public var interface: String?
    /// Absolute path of a socket that is connected to in place of the URL's host and port.
    public var unixSocket: String?
    public var redirects = Redirects()
    /// Bytes a second over `timeout.stall` that a body must at least come with; nil for one byte in that time.
    public var minimumRate: Int64?

    public init() {}

    public enum Proxy: Hashable, Sendable {
        /// As the variables of the environment say.
        case environment
        case none
        case server(ProxyServer)
    }

    public enum AddressFamily: String, CaseIterable, Sendable {
        case v4 = "4"
        case v6 = "6"
        case any
    }

    public enum HTTPVersion: String, CaseIterable, Sendable {
        case http10 = "1.0"
        case http11 = "1.1"
        /// Over TLS by negotiation, so that 1.1 may come of it; without TLS by prior knowledge.
        case http2 = "2"
        case http3 = "3"
    }

    /// Which redirects are followed.
    public struct Redirects: Hashable, Sendable {
        public var max = 20
        /// Whether https may lead to http.
        public var downgrade = false

        public init() {}
    }
}

/// How trust in a server is found, and what it is shown in return (job-file reference, `tls`).
public struct TLSFields: Hashable, Sendable {
    /// Absolute path of a file of trusted certificates (PEM); nil for the system's.
    public var authorities: String?
    /// `sha256//` and base64, of the public keys (SPKI) of which the server must show one; empty for no pin.
    public var pins: [String] = []
    /// Absolute path of the client's own certificate (PEM).
    public var certificate: String?
    /// Absolute path of its private key (PEM); nil when the certificate's file holds it.
    public var key: String?
    /// Secret that the key is encrypted with.
    public var passphrase: String?

    public init() {}
}

/// How an SFTP server is known (job-file reference, `ssh`).
public struct SSHFields: Hashable, Sendable {
    /// Absolute path of a known_hosts file (sshd(8)); nil for `~/.ssh/known_hosts`.
    public var knownHosts: String?
    /// SHA-256 of the host key in base64 without padding, as `ssh-keygen -l` shows it; comes before ``knownHosts``.
    public var pin: String?
    /// Absolute path of the private key that logs in; nil for what libcurl finds in `~/.ssh`.
    public var key: String?
    /// Secret that the key is encrypted with.
    public var passphrase: String?

    public init() {}
}
