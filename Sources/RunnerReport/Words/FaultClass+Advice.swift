public import RunnerJob

extension FaultClass {
    /// What to do about a failure of this class where nothing more exact is known.
    public var advice: String? {
        switch self {
        case .dns: "check the host name in the URL, and this machine's name servers"
        case .connect: "check that the server is up and that no firewall or proxy is in between"
        case .reset, .truncated, .protocol, .server: "run again later; what was fetched is kept"
        case .timeout, .stall: "run again later, or raise the limit under `timeout`"
        case .rateLimited: "run again later, or lower `limits: {per_host}`"
        case .notFound: "check the URL; the file may have been moved or removed"
        case .auth: "check `auth` and whether the credentials still hold"
        case .client: "check the URL and the `headers` of the task"
        case .tls: "check the server's certificate; name a private authority with `tls: {ca: FILE}`"
        case .integrity: "check the digest and size in the job file, or its lock file, against what the publisher says"
        case .content: "look at what the URL gives in a browser; it is not what `expect` asks for"
        case .disk: "check the destination path and its permissions"
        case .storage: "make room or repair the disk, then run again; what was fetched is kept"
        case .redirect: "check where the URL leads"
        case .tooLarge: "raise `expect: {max_size}` if the size is right"
        case .archive, .command, .locked: nil
        case .input: "check the file that the task reads"
        case .internal: "this is a fault of runner: please report it with the job file"
        }
    }
}
