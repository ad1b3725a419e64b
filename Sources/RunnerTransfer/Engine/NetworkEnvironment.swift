internal import LibCurl
internal import RunnerJob

/// What the environment's variables say of the network; read once, so that libcurl never looks there itself.
package struct NetworkEnvironment: Sendable {
    let trust: TrustStore
    /// What `auth: {netrc: true}` reads: `$NETRC`, else `~/.netrc`; nil where there is no home either.
    let netrc: String?
    /// `~/.ssh/known_hosts`.
    let knownHosts: String?
    /// Hosts that no proxy is used for, in the form of `NO_PROXY`.
    let noProxy: String
    private let variables: [String: String]

    package init(_ environment: [String: String]) {
        trust = TrustStore(environment: environment)
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let home = value("HOME")
        netrc = value("NETRC") ?? home.map { $0 + "/.netrc" }
        knownHosts = home.map { $0 + "/.ssh/known_hosts" }
        noProxy = value("no_proxy", "NO_PROXY") ?? ""
        var variables: [String: String] = [:]
        for scheme in ["http", "https", "ftp", "sftp"] {
            // HTTP_PROXY in capitals is what a CGI program gets from a request's field `Proxy` (httpoxy); it is not read.
            let own = scheme == "http" ? value("http_proxy") : value("\(scheme)_proxy", "\(scheme.uppercased())_PROXY")
            if let proxy = own ?? value("all_proxy", "ALL_PROXY") { variables[scheme] = proxy }
        }
        self.variables = variables
    }

    /// The proxy for URLs of a scheme as its variable names it (curl(1), ENVIRONMENT).
    func proxy(for scheme: String) -> ProxyChoice {
        guard let text = variables[scheme] else { return .none }
        return ProxyServer(environment: text).map { .server($0) } ?? .unreadable
    }

    /// The proxy for a request of a task; a socket of its own goes to no proxy.
    func proxy(of network: NetworkSettings, for scheme: String) -> ProxyChoice {
        switch network.proxy {
        case .none: .none
        case .environment: proxy(for: scheme)
        case .server(let server): .server(server)
        }
    }
}

/// The proxy of one request.
enum ProxyChoice: Hashable, Sendable {
    case none
    case server(ProxyServer)
    /// A variable of the environment names something that is no proxy.
    case unreadable
}
