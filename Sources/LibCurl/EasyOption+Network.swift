internal import CLibCurl

/// The options that say how a server is reached and who asks.
extension EasyOption {
    // MARK: Proxy

    /// `scheme://host:port`; empty for none, whatever the environment says.
    package static func proxy(_ url: String) -> Self { Self(CURLOPT_PROXY, "CURLOPT_PROXY", .text(url)) }
    /// Hosts that are reached without the proxy, in the form of `NO_PROXY`; empty for none.
    package static func noProxy(_ hosts: String) -> Self { Self(CURLOPT_NOPROXY, "CURLOPT_NOPROXY", .text(hosts)) }
    package static func proxyUser(_ name: String) -> Self {
        Self(CURLOPT_PROXYUSERNAME, "CURLOPT_PROXYUSERNAME", .text(name))
    }
    package static func proxyPassword(_ text: String) -> Self {
        Self(CURLOPT_PROXYPASSWORD, "CURLOPT_PROXYPASSWORD", .text(text))
    }
    package static func proxyAuthorities(file: String) -> Self {
        Self(CURLOPT_PROXY_CAINFO, "CURLOPT_PROXY_CAINFO", .text(file))
    }
    package static func proxyAuthorities(folder: String) -> Self {
        Self(CURLOPT_PROXY_CAPATH, "CURLOPT_PROXY_CAPATH", .text(folder))
    }

    // MARK: Who asks

    /// CURLAUTH_DIGEST is a macro with a cast, which Swift does not see; its value is part of libcurl's ABI.
    package static var digestAuth: Self { Self(CURLOPT_HTTPAUTH, "CURLOPT_HTTPAUTH", .number(2)) }
    /// Signs each request with the user as access key and the password as secret key (CURLOPT_AWS_SIGV4(3)).
    package static func signature(region: String, service: String) -> Self {
        Self(CURLOPT_AWS_SIGV4, "CURLOPT_AWS_SIGV4", .text("aws:amz:\(region):\(service)"))
    }
    /// Looks user and password up in a netrc file, where the URL's own do not settle them.
    package static var netrc: Self { Self(CURLOPT_NETRC, "CURLOPT_NETRC", .number(Int(CURL_NETRC_OPTIONAL.rawValue))) }
    package static func netrc(file: String) -> Self { Self(CURLOPT_NETRC_FILE, "CURLOPT_NETRC_FILE", .text(file)) }
    package static func clientCertificate(file: String) -> Self {
        Self(CURLOPT_SSLCERT, "CURLOPT_SSLCERT", .text(file))
    }
    package static func clientKey(file: String) -> Self { Self(CURLOPT_SSLKEY, "CURLOPT_SSLKEY", .text(file)) }
    package static func keyPassphrase(_ text: String) -> Self {
        Self(CURLOPT_KEYPASSWD, "CURLOPT_KEYPASSWD", .text(text))
    }
    package static func sshKey(file: String) -> Self {
        Self(CURLOPT_SSH_PRIVATE_KEYFILE, "CURLOPT_SSH_PRIVATE_KEYFILE", .text(file))
    }
    /// Reads cookies from a file, which may be empty, and keeps those that come.
    package static func cookies(file: String) -> Self { Self(CURLOPT_COOKIEFILE, "CURLOPT_COOKIEFILE", .text(file)) }
    /// Adds one cookie: a line of a Netscape jar.
    package static func cookie(_ line: String) -> Self { Self(CURLOPT_COOKIELIST, "CURLOPT_COOKIELIST", .text(line)) }

    // MARK: Who answers

    /// `sha256//` and base64, several parted by `;`.
    package static func pinnedKey(_ pins: String) -> Self {
        Self(CURLOPT_PINNEDPUBLICKEY, "CURLOPT_PINNEDPUBLICKEY", .text(pins))
    }
    package static func knownHosts(file: String) -> Self {
        Self(CURLOPT_SSH_KNOWNHOSTS, "CURLOPT_SSH_KNOWNHOSTS", .text(file))
    }
    /// Base64 of the SHA-256 of the host key.
    package static func hostKey(sha256: String) -> Self {
        Self(CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256, "CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256", .text(sha256))
    }

    // MARK: The way

    package static var onlyIPv4: Self {
        Self(CURLOPT_IPRESOLVE, "CURLOPT_IPRESOLVE", .number(Int(CURL_IPRESOLVE_V4)))
    }
    package static var onlyIPv6: Self {
        Self(CURLOPT_IPRESOLVE, "CURLOPT_IPRESOLVE", .number(Int(CURL_IPRESOLVE_V6)))
    }
    package static func interface(_ name: String) -> Self { Self(CURLOPT_INTERFACE, "CURLOPT_INTERFACE", .text(name)) }
    package static func unixSocket(_ path: String) -> Self {
        Self(CURLOPT_UNIX_SOCKET_PATH, "CURLOPT_UNIX_SOCKET_PATH", .text(path))
    }
    /// No connection that is there is used.
    package static var newConnection: Self { Self(CURLOPT_FRESH_CONNECT, "CURLOPT_FRESH_CONNECT", .number(1)) }
    /// The connection is closed when the transfer has ended and no other is on it.
    package static var lastOnConnection: Self { Self(CURLOPT_FORBID_REUSE, "CURLOPT_FORBID_REUSE", .number(1)) }
    /// A connection of this transfer alone: none that is there is used, and nobody uses this one afterwards.
    package static var ownConnection: [Self] { [newConnection, lastOnConnection] }
    /// Connect, and leave the rest to whoever takes the socket: ``MultiHandle/takeSocket(of:)``.
    package static var connectOnly: Self { Self(CURLOPT_CONNECT_ONLY, "CURLOPT_CONNECT_ONLY", .number(1)) }
    package static var onlyHTTP10: Self { version(Int(CURL_HTTP_VERSION_1_0)) }
    package static var onlyHTTP11: Self { version(Int(CURL_HTTP_VERSION_1_1)) }
    /// HTTP/2 without a word about it before, for servers without TLS.
    package static var assumeHTTP2: Self { version(Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)) }
    package static var preferHTTP3: Self { version(Int(CURL_HTTP_VERSION_3)) }

    private static func version(_ number: Int) -> Self {
        Self(CURLOPT_HTTP_VERSION, "CURLOPT_HTTP_VERSION", .number(number))
    }

    // MARK: Method and body

    /// Bytes a second that a body is sent with at the most.
    package static func sendRate(_ bytes: Int64) -> Self {
        Self(CURLOPT_MAX_SEND_SPEED_LARGE, "CURLOPT_MAX_SEND_SPEED_LARGE", .offset(bytes))
    }

    /// Bytes of a body that are read at once, up to 2 MiB; larger pieces make fewer calls.
    package static func sendBuffer(_ bytes: Int) -> Self {
        Self(CURLOPT_UPLOAD_BUFFERSIZE, "CURLOPT_UPLOAD_BUFFERSIZE", .number(bytes))
    }
    /// Make the folders of a path that are not there, with FTP and SFTP.
    package static var createFolders: Self {
        Self(CURLOPT_FTP_CREATE_MISSING_DIRS, "CURLOPT_FTP_CREATE_MISSING_DIRS", .number(1))
    }

    /// Commands for an FTP or SFTP server once the transfer has gone well; one behind a `*` may fail.
    package static func afterwards(_ commands: [String]) -> Self {
        Self(CURLOPT_POSTQUOTE, "CURLOPT_POSTQUOTE", .lines(commands))
    }

    package static func method(_ name: String) -> Self {
        Self(CURLOPT_CUSTOMREQUEST, "CURLOPT_CUSTOMREQUEST", .text(name))
    }
    /// Length of ``body(_:)``; to be set before it.
    package static func bodyLength(_ count: Int) -> Self {
        Self(CURLOPT_POSTFIELDSIZE_LARGE, "CURLOPT_POSTFIELDSIZE_LARGE", .offset(Int64(count)))
    }
    /// A body that libcurl copies, as many bytes of it as ``bodyLength(_:)`` says.
    package static func body(_ text: String) -> Self {
        Self(CURLOPT_COPYPOSTFIELDS, "CURLOPT_COPYPOSTFIELDS", .text(text))
    }
}
