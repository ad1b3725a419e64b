internal import Glibc

/// The locale that libraries convert names by, which take the encoding of a name from the locale of the thread.
///
/// In the locale "C", in which a process starts, they cannot convert a name that is not ASCII. The names of this
/// package are UTF-8 whatever the user's locale is, so that such calls run in a locale of their own. The locale of the
/// process is left alone: it belongs to the program that uses this package.
package enum CharacterLocale {
    /// The address of a locale whose characters are UTF-8 and that differs from "C" in nothing else.
    ///
    /// It lives as long as the process; 0 when the system has none (newlocale(3)).
    private static let utf8 = UInt(bitPattern: newlocale(Int32(1) << LC_CTYPE, "C.UTF-8", nil))

    package static var isThere: Bool { utf8 != 0 }

    /// Runs `body` in the locale, on this thread alone (uselocale(3)).
    package static func run<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = uselocale(locale_t(bitPattern: utf8))
        defer { _ = uselocale(before) }
        return try body()
    }
}
