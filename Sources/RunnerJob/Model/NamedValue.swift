/// A name with a text, such as an environment variable or a field of a form.
public struct NamedValue: Hashable, Sendable {
    public var name: String
    public var value: String
    /// Whether a secret went into the value.
    public var hasSecret: Bool

    public init(name: String, value: String, hasSecret: Bool = false) {
        self.name = name
        self.value = value
        self.hasSecret = hasSecret
    }
}
