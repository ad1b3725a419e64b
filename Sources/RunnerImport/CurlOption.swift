internal import RunnerJob

/// The options of curl that mean something here (curl(1)).
enum CurlOption {
    static func isKnown(_ name: String) -> Bool {
        all[name] != nil || steering.contains(name)
    }

    /// A letter that is not known stands for itself.
    static func longName(of letter: Character) -> String { letters[letter] ?? String(letter) }

    /// Whether an option is known to take no value, whatever stands behind it.
    static func isFlag(_ name: String) -> Bool {
        flags.contains(name) || all[name].map { $0.isFlag || $0.isNeedless && !needlessValues.contains(name) } == true
    }

    /// Whether a letter, by its long name, takes no value; other letters may follow it then.
    static func isFlag(letter name: String) -> Bool {
        isFlag(name) || ["B", "a", "include", "j", "l", "p", "2", "3"].contains(name)
    }

    /// Those that say what is fetched and where it goes; see ``CurlConfig``.
    static let steering: Set<String> = [
        "url", "output", "remote-name", "remote-name-all", "output-dir", "next", "globoff", "upload-file", "form",
        "form-string", "head", "data", "data-raw", "data-binary", "data-ascii", "data-urlencode", "json", "get",
        "parallel-max", "parallel", "insecure", "proxy-insecure",
    ]

    /// Those of ``steering`` that take no value.
    private static let flags: Set<String> = [
        "remote-name", "remote-name-all", "next", "globoff", "head", "get", "parallel", "insecure", "proxy-insecure",
    ]

    static let all = ListOption.table(requests, limits, needless: needless)

    private static let requests: [String: ListOption] = [
        "header": header,
        "user": .text { settings, value, place in
            let colon = value.firstIndex(of: ":")
            settings.login = ImportedSettings.Login(
                user: String(value[..<(colon ?? value.endIndex)]),
                password: colon.map { String(value[value.index(after: $0)...]) }, place: place)
        },
        "oauth2-bearer": .text { settings, value, place in
            settings.bearer = ImportedSettings.Given(value: value, place: place)
        },
        "digest": on { $0.usesDigest = true },
        "netrc": on { $0.netrc = .usual }, "netrc-optional": on { $0.netrc = .usual },
        "netrc-file": .text { settings, value, _ in settings.netrc = .file(value) },
        "cookie": ListOption(wanted: "cookies or a file") { value, place, settings in
            // An empty name is curl's word for cookies that begin with none; a text with an equals sign is the cookies
            // themselves, else it is a file.
            if value.isEmpty { return true }
            if value.contains("=") {
                settings.headers.append(ImportedSettings.Given(value: ("Cookie", value), place: place))
            } else {
                settings.cookies = value
            }
            return true
        },
        "cookie-jar": .text { settings, value, _ in settings.saveCookies = value },
        "user-agent": ListOption(wanted: "a text") { value, place, settings in
            settings.userAgent = value.isEmpty ? nil : value
            if value.isEmpty {
                settings.removedHeaders.append(ImportedSettings.Given(value: "User-Agent", place: place))
            }
            return true
        },
        "referer": ListOption(wanted: "a URL") { value, place, settings in
            // What follows says that it changes with redirects.
            let url = value.hasSuffix(";auto") ? String(value.dropLast(5)) : value
            return url.isEmpty || ListOption.header.take("Referer: " + url, place, &settings)
        },
        "proxy": Aria2Option.proxy { settings, proxy in settings.proxy = proxy },
        "request": ListOption(wanted: "a method in capitals whose reply is a file") { value, _, settings in
            let isMethod = HeaderText.isToken(value) && value == value.uppercased()
            guard isMethod, !["HEAD", "CONNECT", "TRACE"].contains(value) else { return false }
            settings.method = value
            return true
        },
        "cacert": .tls("ca"), "cert": certificate, "key": .tls("key"), "pass": .tls("passphrase"),
        "pinnedpubkey": .tls("pin"),
        "ipv4": on { $0.ip = "4" }, "ipv6": on { $0.ip = "6" },
        "http1.0": on { $0.httpVersion = "1.0" }, "http1.1": on { $0.httpVersion = "1.1" },
        "http2": on { $0.httpVersion = "2" },
        "unix-socket": .text { settings, value, _ in settings.unixSocket = value },
        "remote-time": on { $0.takesServerTime = true },
        "remote-header-name": on { $0.takesServerName = true },
    ]

    private static let limits: [String: ListOption] = [
        "limit-rate": .bytes { $0.rate = $1 }, "speed-limit": .bytes { $0.minRate = $1 },
        "speed-time": .seconds { $0.stall = $1 },
        "max-time": .seconds { $0.attempt = $1 },
        // curl counts what comes after the first.
        "retry": .number { settings, count in settings.attempts = min(count ?? 0, 99) + 1 },
        "retry-delay": .seconds { $0.retryWait = $1 }, "retry-max-time": .seconds { $0.retryDeadline = $1 },
        "max-redirs": ListOption(wanted: "a number") { value, _, settings in
            // -1 is curl's word for no limit.
            guard let count = value == "-1" ? 100 : ListQuantity.number(value) else { return false }
            settings.redirects = min(count, 100)
            return true
        },
        "max-filesize": .bytes { $0.maxSize = $1 },
    ]

    /// What is done anyway, and what is about curl itself.
    private static let needless = [
        "location", "fail", "fail-with-body", "fail-early", "create-dirs", "continue-at", "silent", "show-error",
        "no-progress-meter", "progress-bar", "verbose", "compressed", "basic", "anyauth", "retry-connrefused",
        "retry-all-errors", "remove-on-error", "no-clobber", "tcp-nodelay", "no-buffer", "write-out", "stderr",
        "trace", "trace-ascii", "keepalive-time", "tlsv1", "tlsv1.2", "tlsv1.3", "ftp-pasv", "disable",
        "parallel-immediate", "styled-output", "path-as-is",
    ]

    /// Those of ``needless`` that take a value.
    private static let needlessValues: Set<String> = [
        "continue-at", "write-out", "stderr", "trace", "trace-ascii", "keepalive-time",
    ]

    private static let letters: [Character: String] = [
        "o": "output", "O": "remote-name", "H": "header", "u": "user", "A": "user-agent", "e": "referer", "x": "proxy",
        "b": "cookie", "c": "cookie-jar", "E": "cert", "k": "insecure", "m": "max-time", "L": "location",
        "X": "request", "d": "data", "f": "fail", "C": "continue-at", "s": "silent", "S": "show-error",
        "g": "globoff", "n": "netrc", "r": "range", "R": "remote-time", "J": "remote-header-name", "Z": "parallel",
        "4": "ipv4", "6": "ipv6", "y": "speed-time", "Y": "speed-limit", "z": "time-cond", "T": "upload-file",
        "w": "write-out", "v": "verbose", "i": "include", "I": "head", "#": "progress-bar", "F": "form",
        "G": "get", "q": "disable", "N": "no-buffer", "0": "http1.0", "1": "tlsv1", ":": "next",
        "U": "proxy-user", "P": "ftp-port", "K": "config", "D": "dump-header",
    ]

    /// A field of the head; a name alone takes a field away that curl would send, and one with `;` has no value.
    private static let header = ListOption(wanted: ListOption.header.wanted) { value, place, settings in
        if value.hasSuffix(";"), HeaderText.isToken(value.dropLast()) {
            return ListOption.header.take(value.dropLast() + ":", place, &settings)
        }
        guard let colon = value.firstIndex(of: ":"), value[value.index(after: colon)...].allSatisfy(\.isWhitespace)
        else { return ListOption.header.take(value, place, &settings) }
        settings.removedHeaders.append(
            ImportedSettings.Given(value: String(value[..<colon]).trimmingBlanks(), place: place))
        return true
    }

    /// A file, and behind a colon its password (curl(1), --cert).
    private static let certificate = ListOption(wanted: "a file") { value, place, settings in
        var file = ""
        var rest = value[...]
        // The URI of a token has colons of its own.
        if value.lowercased().hasPrefix("pkcs11:") { (file, rest) = (value, "") }
        while let character = rest.popFirst(), character != ":" {
            if character == "\\", let next = rest.first, next == ":" || next == "\\" {
                rest.removeFirst()
                file.append(next)
            } else {
                file.append(character)
            }
        }
        guard !file.isEmpty else { return false }
        settings.tls["cert"] = ImportedSettings.Given(value: file, place: place)
        if !rest.isEmpty { settings.tls["passphrase"] = ImportedSettings.Given(value: String(rest), place: place) }
        return true
    }

    /// An option without a value.
    private static func on(_ set: @escaping @Sendable (inout ImportedSettings) -> Void) -> ListOption {
        ListOption(wanted: "no value", isFlag: true) { _, _, settings in
            set(&settings)
            return true
        }
    }
}
