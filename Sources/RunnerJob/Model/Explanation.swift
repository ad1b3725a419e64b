/// What holds for one task, and where the job says so.
public struct Explanation: Sendable {
    /// One field with the value that it has in the end.
    public struct Field: Sendable {
        /// As it is written in a job file: `retry.attempts`.
        public var key: String
        /// Credentials are left out.
        public var value: String
        public var origin: Origin
    }

    /// Where a value comes from.
    public enum Origin: Sendable {
        /// The task itself, or a group around it.
        case task(Place)
        /// A section of `hosts`, by its name.
        case host(String, Place)
        case defaults(Place)
        /// Nobody says anything else.
        case standard
    }

    public let id: ExactText
    public let fields: [Field]

    /// - Parameters:
    ///   - own: what the task and its groups give.
    ///   - defaults: what `defaults` gives.
    init(of task: JobTask, own: Trail, defaults: Trail, hosts: Hosts) {
        id = task.id
        var sections: [HostSection] = []
        if let origin = task.action.origin { sections = hosts.sections(for: origin).reversed() }
        fields = EffectiveFields.of(task).map { field in
            let keys = [field.key] + field.aliases
            func place(_ trail: Trail?) -> Place? { keys.lazy.compactMap { trail?[$0.lowercased()] }.first }
            var origin = Origin.standard
            if let place = place(own) {
                origin = .task(place)
            } else if let (name, place) = sections.lazy.compactMap({ section in
                place(section.trail).map { (section.pattern.text, $0) }
            }).first {
                origin = .host(name, place)
            } else if let place = place(defaults) {
                origin = .defaults(place)
            }
            return Field(key: field.key, value: field.value, origin: origin)
        }
    }
}
