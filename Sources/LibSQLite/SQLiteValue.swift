/// A value that can be bound to a parameter of a statement.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// The text, or NULL where there is none.
    package static func text(_ text: String?) -> SQLiteValue {
        text.map { .text($0) } ?? .null
    }

    /// The number, or NULL where there is none.
    package static func integer(_ number: Int64?) -> SQLiteValue {
        number.map { .integer($0) } ?? .null
    }
}
