/// What a job says of the hosts that it asks (job-file reference, `hosts`).
public struct Hosts: Sendable {
    /// From the least to the most specific; of equally specific ones the later one wins.
    public let sections: [HostSection]
    public let routes: HostRoutes

    public init(_ sections: [HostSection] = []) {
        let sorted = sections.enumerated().sorted { first, second in
            if first.element.pattern.isLessSpecific(than: second.element.pattern) { return true }
            if second.element.pattern.isLessSpecific(than: first.element.pattern) { return false }
            return first.offset < second.offset
        }.map(\.element)
        self.sections = sorted
        routes = HostRoutes(sorted)
    }

    public var isEmpty: Bool { sections.isEmpty }

    /// The sections that an origin falls under, from the least to the most specific.
    public func sections(for origin: Origin) -> [HostSection] {
        sections.filter { $0.pattern.matches(origin) }
    }

    /// What holds for requests to an origin together: of each field the most specific value.
    public func policy(for origin: Origin) -> HostPolicy {
        var policy = HostPolicy()
        for section in sections(for: origin) { policy.take(section.policy) }
        return policy
    }
}

/// One section of `hosts`.
public struct HostSection: Sendable {
    public var pattern: HostPattern
    public var place: Place
    public var policy = HostPolicy()
    public var access: HostAccess?
    public var rewrites: [HostRewrite] = []
    /// How requests are made; ``overlay`` says what of it the section gives.
    var request = RequestSettings.standard
    var overlay = RequestOverlay()
    /// Where its fields were given; nil unless a task is to be explained.
    var trail: Trail?

    public init(_ pattern: HostPattern, at place: Place) {
        self.pattern = pattern
        self.place = place
    }
}

/// Caps on all requests to one origin together; nil where the job says nothing.
public struct HostPolicy: Hashable, Sendable {
    /// Requests in flight, at least 1.
    public var perHost: Int?
    /// Bytes a second.
    public var rate: Int64?
    /// Time from one request to the next.
    public var interval: Duration?

    public init() {}

    mutating func take(_ other: HostPolicy) {
        perHost = other.perHost ?? perHost
        rate = other.rate ?? rate
        interval = other.interval ?? interval
    }
}
