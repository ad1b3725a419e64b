internal import CLibArchive

/// The locale that libarchive converts names by.
///
/// It takes the encoding of names on the disk from the locale of the thread (archive_entry_paths(3)), and in the
/// locale "C", in which a process starts, it cannot convert a name that is not ASCII. The names of this package are
/// UTF-8 whatever the user's locale is, so that its calls run in a locale of their own. The locale of the process is
/// left alone: it belongs to the program that uses this package.
enum CharacterLocale {
    /// The address of the locale, which lives as long as the process; 0 when the system has none.
    private static let utf8 = UInt(bitPattern: runner_archive_utf8_locale())

    static var isThere: Bool { utf8 != 0 }

    /// Runs `body` in the locale, on this thread alone (uselocale(3)).
    static func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let before = runner_archive_use_locale(locale_t(bitPattern: utf8))
        defer { _ = runner_archive_use_locale(before) }
        return try body()
    }
}
