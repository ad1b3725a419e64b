internal import RunnerJob

/// The options of aria2's input file that mean something here (aria2c(1)).
enum Aria2Option {
    static let all = ListOption.table(requests, limits, needless: needless)

    private static let requests: [String: ListOption] = [
        "http-user": .text { settings, value, place in setUser(&settings.login, value, place) },
        "http-passwd": .text { settings, value, place in setPassword(&settings.login, value, place) },
        "ftp-user": .text { settings, value, place in setUser(&settings.ftpLogin, value, place) },
        "ftp-passwd": .text { settings, value, place in setPassword(&settings.ftpLogin, value, place) },
        "load-cookies": .text { settings, value, _ in settings.cookies = value },
        "save-cookies": .text { settings, value, _ in settings.saveCookies = value },
        "all-proxy": proxy { $0.proxy = $1 }, "http-proxy": proxy { $0.proxies["http"] = $1 },
        "https-proxy": proxy { $0.proxies["https"] = $1 }, "ftp-proxy": proxy { $0.proxies["ftp"] = $1 },
        "ca-certificate": .tls("ca"), "certificate": .tls("cert"), "private-key": .tls("key"),
        "remote-time": .flag(["true": true, "false": false]) { $0.takesServerTime = $1 },
    ]

    private static let limits: [String: ListOption] = [
        "max-download-limit": .bytes { $0.rate = $1 },
        "lowest-speed-limit": .bytes { $0.minRate = $1 },
        // Where aria2 has no limit, the job file's own holds.
        "max-tries": .number { settings, count in settings.attempts = count.map { min($0, 100) } },
        "retry-wait": .seconds { $0.retryWait = $1 },
        "timeout": .seconds { $0.stall = $1 },
        "split": .number { settings, count in settings.segments = count.map { min($0, 16) } },
    ]

    /// What is done anyway, and what is about aria2 itself.
    private static let needless = [
        "continue", "always-resume", "allow-overwrite", "auto-file-renaming", "conditional-get", "check-integrity",
        "max-connection-per-server", "min-split-size", "gid", "pause", "http-accept-gzip", "enable-http-keep-alive",
        "enable-http-pipelining", "file-allocation", "realtime-chunk-checksum", "reuse-uri", "uri-selector",
        "http-auth-challenge", "ftp-pasv", "ftp-type", "ftp-reuse-connection", "remove-control-file", "piece-length",
        "stream-piece-selector", "no-netrc", "content-disposition-default-utf8", "save-not-found",
    ]

    private static func setUser(_ login: inout ImportedSettings.Login?, _ user: String, _ place: Place) {
        login = ImportedSettings.Login(user: user, password: login?.password, place: place)
    }

    private static func setPassword(_ login: inout ImportedSettings.Login?, _ password: String, _ place: Place) {
        login = ImportedSettings.Login(user: login?.user, password: password, place: place)
    }

    /// A proxy without a scheme is one of HTTP, and an empty text none.
    static func proxy(
        _ set: @escaping @Sendable (inout ImportedSettings, ImportedSettings.Given<String>) -> Void
    ) -> ListOption {
        ListOption(wanted: "a proxy") { value, place, settings in
            let proxy = value.isEmpty ? "none" : value.contains("://") ? value : "http://" + value
            set(&settings, ImportedSettings.Given(value: proxy, place: place))
            return true
        }
    }
}
