/// Puts the sections of `hosts` between the defaults and what groups and tasks say.
final class RequestLayering {
    private let defaults: RequestSettings
    let hosts: Hosts
    /// Number of fields that the group gives which the tasks lie in.
    private let givenByGroup: Int
    /// Of the tasks that say nothing of their own; nil where no section says anything of requests.
    private let shared: RequestLayers?
    private var known: [Origin: RequestSettings] = [:]

    /// - Parameters:
    ///   - defaults: What holds below the sections.
    ///   - group: What holds for the tasks, and what of it is given above the sections.
    init(defaults: RequestSettings, hosts: Hosts, group: TaskSettings) {
        self.defaults = defaults
        self.hosts = hosts
        givenByGroup = group.overlay.keys.count
        let isNeeded = hosts.sections.contains { !$0.overlay.isEmpty }
        shared =
            isNeeded
            ? RequestLayers(defaults: defaults, hosts: hosts, own: group.request, overlay: group.overlay) : nil
    }

    /// The layers of the tasks of a group.
    func inside(_ group: TaskSettings) -> RequestLayering {
        RequestLayering(defaults: defaults, hosts: hosts, group: group)
    }

    /// The layers of a task; nil where all origins are asked alike.
    func layers(for settings: TaskSettings) -> RequestLayers? {
        guard shared != nil, settings.overlay.keys.count > givenByGroup else { return shared }
        return RequestLayers(defaults: defaults, hosts: hosts, own: settings.request, overlay: settings.overlay)
    }

    /// How the first source of a task is asked; one value for all tasks that say nothing of their own.
    func request(_ settings: TaskSettings, _ layers: RequestLayers?, _ source: SourceURL) -> RequestSettings {
        guard let layers else { return settings.request }
        guard layers === shared, source.credentials == nil, source.isOwn else {
            return layers.settings(for: source.origin, source: source, isShared: source.isOwn)
        }
        if let request = known[source.origin] { return request }
        let request = layers.settings(for: source.origin, source: source, isShared: true)
        known[source.origin] = request
        return request
    }
}
