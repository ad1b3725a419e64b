package import RunnerJob

#if canImport(Glibc)
    import Glibc
#endif

/// The files that a request reads before anything is sent, so that a missing one is told by the field that names it.
package struct RequestFiles: Sendable {
    private struct File {
        var field: String
        var path: String
        var faultClass: FaultClass
    }

    private var files: [File] = []

    /// - Parameters:
    ///   - scheme: of the task's URL.
    ///   - bodyFile: absolute path of the body.
    package init(
        _ settings: RequestSettings, scheme: String, bodyFile: String?, environment: NetworkEnvironment
    ) {
        let network = settings.network
        func add(_ field: String, _ path: String?, _ faultClass: FaultClass) {
            if let path { files.append(File(field: field, path: path, faultClass: faultClass)) }
        }
        add("tls.ca", network.tls.authorities, .tls)
        add("tls.cert", network.tls.certificate, .tls)
        add("tls.key", network.tls.key, .tls)
        add("cookies", network.cookies, .input)
        add("body", bodyFile, .input)
        if case .netrc(let netrc) = settings.auth {
            add("auth.netrc", netrc.file ?? environment.netrc ?? "~/.netrc", .input)
        }
        if scheme == "sftp" { add("ssh.key", network.ssh.key, .input) }
        if scheme == "sftp", network.ssh.pin == nil {
            add("ssh.known_hosts", network.ssh.knownHosts ?? environment.knownHosts ?? "~/.ssh/known_hosts", .tls)
        }
    }

    package var isEmpty: Bool { files.isEmpty }

    /// The first file that cannot be read; may block.
    package func check() -> Fault? {
        for file in files {
            if let errno = Self.obstacle(to: file.path) {
                return Fault(file.faultClass, .unreadable(field: file.field, path: file.path, errno: errno))
            }
            if let cause = Self.flaw(of: file) { return Fault(file.faultClass, cause) }
        }
        return nil
    }

    /// What libcurl would pass over without a word.
    private static func flaw(of file: File) -> Fault.Cause? {
        switch file.field {
        case "cookies": CookieText.flaw(of: file.path)
        case "auth.netrc": NetrcText.flaw(of: file.path)
        default: nil
        }
    }

    /// Why a file cannot be read; a folder can be opened, and libcurl would take it for an empty file.
    private static func obstacle(to path: String) -> Int32? {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else { return errno }
        return status.st_mode & S_IFMT == S_IFDIR ? EISDIR : nil
    }
}
