/// The keys of a task.
enum TaskKey: String, CaseIterable {
    case id, needs, optional, priority, retry, timeout, matrix, tasks
    case download, mirrors, to, name, digest
    case md5, sha1, sha224, sha256, sha384, sha512
    case sha512256 = "sha512-256"
    case sha3256 = "sha3-256"
    case sha3384 = "sha3-384"
    case sha3512 = "sha3-512"
    case blake2b, blake2s
    case size, expect, exists, headers
    case userAgent = "user_agent"
    case method, body, cookies
    case saveCookies = "save_cookies"
    case auth, tls, ssh, proxy
    case minRate = "min_rate"
    case redirects, ip
    case httpVersion = "http_version"
    case interface
    case unixSocket = "unix_socket"
    case rate, segments, mode, mtime, backup
    case check, run, env, cwd, inputs, outputs, upload, form
    case saveResponse = "save_response"
    case extract, archive, strip, prefix, include, exclude, password, limits, level, threads

    /// The keys that every task has.
    static let ofAll: Set<TaskKey> = [.id, .needs, .optional, .priority, .retry, .timeout]

    /// The keys that tasks about archives alone have.
    static let ofArchives: Set<TaskKey> = [
        .extract, .archive, .strip, .prefix, .include, .exclude, .password, .limits, .level, .threads,
    ]

    /// The keys that say what a file hashes to.
    static let ofDigests: Set<TaskKey> = Set(DigestAlgorithm.ofJobs.compactMap { TaskKey(rawValue: $0.rawValue) })
        .union([.digest])

    /// The keys that a section of `hosts` shares with tasks: those that are about a server rather than a file.
    static let ofHosts: [TaskKey] = [
        .headers, .userAgent, .auth, .tls, .ssh, .proxy, .minRate, .redirects, .ip, .httpVersion, .interface,
        .unixSocket,
    ]

    /// The keys of `defaults`: those that can mean the same for many tasks.
    static let ofDefaults: [TaskKey] = [
        .optional, .priority, .retry, .timeout, .digest, .expect, .exists, .headers, .userAgent, .method, .body,
        .cookies, .saveCookies, .auth, .tls, .ssh, .proxy, .minRate, .redirects, .ip, .httpVersion, .interface,
        .unixSocket, .rate, .segments, .mode, .mtime, .backup,
    ]
}

/// What a task can say or take from `defaults`.
struct TaskSettings {
    var isOptional = false
    var priority = 0
    private(set) var policies = TaskPolicies.standard
    var retry: RetrySettings {
        get { policies.value.retry }
        set { policies = policies.changing { $0.retry = newValue } }
    }
    var timeout: TimeoutSettings {
        get { policies.value.timeout }
        set { policies = policies.changing { $0.timeout = newValue } }
    }
    var checksumList: ChecksumListReference?
    private(set) var sharedExpect = SharedValue<Expectations>.nothing
    var expect: Expectations {
        get { sharedExpect.value }
        set { sharedExpect = SharedValue(newValue) }
    }
    var exists = Download.ExistingFile.verify
    var request = RequestSettings.standard
    /// The fields of ``request`` that were given in the place that is being read.
    var overlay = RequestOverlay()
    /// Where the fields were given; nil unless a task is to be explained.
    var trail: Trail?
    /// Bytes a second of one task; nil for no limit.
    var rate: Int64?
    var segments = Download.Segments.single
    var mode: UInt16?
    var modificationTime = Download.ModificationTime.now
    var backup = Download.Backup.include
}
