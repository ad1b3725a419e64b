/// An element of an XML text, with all that is in it.
package struct XMLElement: Hashable, Sendable {
    /// Name without prefix, and the namespace that it belongs to; empty for none.
    package var name: String
    package var namespace: String
    /// Those without a namespace, by their names.
    package var attributes: [String: String]
    package var children: [XMLElement] = []
    /// The characters directly in it, put together.
    package var text = ""
    /// The line that it begins on, from 1.
    package var line: Int

    package init(name: String, namespace: String, attributes: [String: String], line: Int) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
        self.line = line
    }

    /// The elements in it that have a name and belong to its own namespace, in their order.
    package func children(named name: String) -> [XMLElement] {
        children.filter { $0.name == name && $0.namespace == namespace }
    }

    /// The first of ``children(named:)``.
    package func child(named name: String) -> XMLElement? {
        children.first { $0.name == name && $0.namespace == namespace }
    }
}

/// Why a text is no XML that is read.
package struct XMLFault: Error, Hashable, Sendable {
    /// One sentence without final stop.
    package var message: String
    /// Where, both from 1.
    package var line: Int
    package var column: Int
}
