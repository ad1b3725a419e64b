/// One step of an XML text, as expat reports it.
package enum XMLEvent: Hashable, Sendable {
    /// An element begins; its name as it is written.
    case start(String)
    /// Characters, with their references resolved; one stretch may come in several pieces.
    case text(String)
    case end
}
