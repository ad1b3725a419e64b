/// Text that equals another only when every byte does.
///
/// Swift's `String` treats `é` in composed and in decomposed form as one; to a file system they are two names.
/// Task ids and paths are compared as this.
public struct ExactText: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public init(stringLiteral value: String) {
        text = value
    }

    public var description: String { text }
}

extension ExactText: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        // Equal bytes mean equal text; only where text is equal though bytes may differ are the bytes looked at.
        guard left.text == right.text else { return false }
        return left.text.utf8.count == right.text.utf8.count
            && (left.text.utf8Span.isKnownASCII || left.text.utf8.elementsEqual(right.text.utf8))
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ExactText: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
