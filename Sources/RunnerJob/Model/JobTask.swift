/// One task of a job.
public struct JobTask: Sendable {
    /// Unique in the job; the destination unless the file gives an `id`.
    public var id: ExactText
    /// The first line of the task in the job file.
    public var place: Place
    /// What the task waits for, by id or destination, as written.
    public var needs: [Reference]
    /// Whether its failure leaves the run's status at 4 instead of 1.
    public var isOptional: Bool
    /// Higher starts earlier; 0 unless given.
    public var priority: Int
    public var retry: RetrySettings {
        get { policies.value.retry }
        set { policies = policies.changing { $0.retry = newValue } }
    }
    public var timeout: TimeoutSettings {
        get { policies.value.timeout }
        set { policies = policies.changing { $0.timeout = newValue } }
    }
    private var policies: TaskPolicies
    public var action: Action

    /// What a task does.
    ///
    /// It lies apart, so that a task can be handed on without being copied.
    public indirect enum Action: Sendable {
        case download(Download)
        case check(FileCheck)
        case run(ProgramRun)
        case upload(Upload)
        case extract(Extraction)
        case archive(ArchiveCreation)

        /// What is done, as all kinds tell of it.
        public var work: any TaskWork {
            switch self {
            case .download(let download): download
            case .check(let check): check
            case .extract(let extraction): extraction
            case .archive(let creation): creation
            case .run(let run): run
            case .upload(let upload): upload
            }
        }

        /// How the first server is asked; nil where none is.
        public var request: RequestSettings? {
            switch self {
            case .download(let download): download.request
            case .upload(let upload): upload.request
            case .check, .run, .extract, .archive: nil
            }
        }

        /// The origin that is asked first; nil where no server is asked.
        public var origin: Origin? {
            switch self {
            case .download(let download): download.sources.first?.origin
            case .upload(let upload): upload.target.origin
            case .check, .run, .extract, .archive: nil
            }
        }
    }

    public var kind: TaskKind { action.work.kind }

    /// The name under which the ledger keeps what became of the task.
    public var productKey: ExactText { ExactText("\(kind.rawValue) \(id.text)") }

    public init(
        id: ExactText, place: Place, needs: [Reference] = [], isOptional: Bool = false, priority: Int = 0,
        retry: RetrySettings = RetrySettings(), timeout: TimeoutSettings = TimeoutSettings(), action: Action
    ) {
        self.init(
            id: id, place: place, needs: needs, isOptional: isOptional, priority: priority,
            policies: TaskPolicies(PolicyFields(retry: retry, timeout: timeout)), action: action)
    }

    init(
        id: ExactText, place: Place, needs: [Reference], isOptional: Bool, priority: Int, policies: TaskPolicies,
        action: Action
    ) {
        self.id = id
        self.place = place
        self.needs = needs
        self.isOptional = isOptional
        self.priority = priority
        self.policies = policies
        self.action = action
    }
}

/// When tasks are tried again and how long they may take; one value for all that say nothing of their own.
typealias TaskPolicies = SharedValue<PolicyFields>

extension SharedValue where Value == PolicyFields {
    static let standard = TaskPolicies(PolicyFields())
}

struct PolicyFields: Sendable {
    var retry = RetrySettings()
    var timeout = TimeoutSettings()
}

/// A name in `needs`, with the place it stands at.
public struct Reference: Hashable, Sendable {
    public var name: ExactText
    public var place: Place

    public init(_ name: ExactText, at place: Place) {
        self.name = name
        self.place = place
    }
}

/// When a failed attempt is made again (job-file reference, `retry`).
public struct RetrySettings: Hashable, Sendable {
    public enum Backoff: String, CaseIterable, Sendable { case exponential, linear, constant }
    public enum Jitter: String, CaseIterable, Sendable { case full, equal, none }

    /// Requests to each source, the first included; at least 1.
    public var attempts = 5
    public var backoff = Backoff.exponential
    public var first = Duration.seconds(1)
    /// Longest wait of our own choice.
    public var max = Duration.seconds(60)
    /// Growth from one wait to the next; at least 1.
    public var factor = 2.0
    public var jitter = Jitter.full
    /// Longest Retry-After that is obeyed.
    public var maxWait = Duration.seconds(3600)
    /// Limit on waits and attempts together; nil for none.
    public var deadline: Duration?
    /// Classes that are retried instead of the default ones; nil for the defaults.
    public var on: Set<FaultClass>?

    public init() {}
}

/// Limits of time on one task (job-file reference, `timeout`); nil for none.
public struct TimeoutSettings: Hashable, Sendable {
    public var connect = Duration.seconds(10)
    /// Longest time without a byte.
    public var stall = Duration.seconds(30)
    /// Longest time for one attempt.
    public var attempt: Duration?
    /// Longest time for the task, waits included.
    public var total: Duration?

    public init() {}
}
