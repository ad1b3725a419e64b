/// How a task's requests are made at each origin: its own fields over those of `hosts`, and these over the defaults.
public final class RequestLayers: Sendable {
    private let defaults: RequestSettings
    private let hosts: Hosts
    /// What the task says over the defaults, and what of it is its own.
    private let own: RequestSettings
    private let overlay: RequestOverlay

    init(defaults: RequestSettings, hosts: Hosts, own: RequestSettings, overlay: RequestOverlay) {
        self.defaults = defaults
        self.hosts = hosts
        self.own = own
        self.overlay = overlay
    }

    /// The layers of a task that only fetches, for what this one needs beside its own file.
    public func fetchingOnly() -> RequestLayers {
        RequestLayers(defaults: defaults.fetchingOnly(), hosts: hosts, own: own.fetchingOnly(), overlay: overlay)
    }

    /// The layers of a task at another origin, which is not to learn who asks at this one's.
    public func unbound() -> RequestLayers {
        RequestLayers(
            defaults: defaults.unbound(), hosts: hosts, own: own.unbound(), overlay: overlay.unbound(own.value))
    }

    /// The fields of a request to an origin.
    ///
    /// - Parameters:
    ///   - source: Where the task asks first.
    ///   - isShared: Whether the origin may see what the task and the defaults say for that source's origin only, such
    ///     as `auth`. What a section of `hosts` says is for every origin that it matches.
    public func settings(for origin: Origin, source: SourceURL, isShared: Bool) -> RequestSettings {
        let sections = hosts.sections(for: origin).filter { !$0.overlay.isEmpty }
        if sections.isEmpty, isShared { return own }
        var fields = defaults.value
        if !isShared { RequestOverlay.unbind(&fields) }
        // A user in the task's own URL is more to the point than what is said of many.
        let namesUser = isShared && source.credentials.map { !$0.password.isEmpty } ?? false
        for section in sections {
            let below = fields.auth
            section.overlay.apply(section.request.value, to: &fields, isShared: true)
            if namesUser { fields.auth = below }
        }
        overlay.apply(own.value, to: &fields, isShared: isShared)
        return RequestSettings(fields)
    }
}

extension SharedValue where Value == RequestFields {
    /// The same request without anything that belongs to one origin.
    ///
    /// A netrc file stays: it says itself what is for whom.
    public func unbound() -> RequestSettings {
        changing { fields in
            let auth = fields.auth
            RequestOverlay.unbind(&fields)
            if case .netrc = auth { fields.auth = auth }
        }
    }

    /// The same request without anything that it sends or leaves behind.
    public func fetchingOnly() -> RequestSettings {
        guard value.method != "GET" || value.network.savedCookies != nil else { return self }
        return changing { fields in
            fields.method = "GET"
            fields.body = nil
            fields.network = fields.network.changing { $0.savedCookies = nil }
        }
    }
}
