import LibMagic
import Testing

@Suite("libmagic")
struct MagicDatabaseTests {
    /// It may be missing; then the program does without, and there is nothing to test.
    private static let isInstalled = MagicDatabase() != nil

    @Test(
        .enabled(if: isInstalled, "libmagic is not installed"),
        arguments: [
            (Array("%PDF-1.7\n%\u{E2}\n".utf8), "application/pdf"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52], "image/png"),
            (Array("two words\n".utf8), "text/plain"),
        ] as [([UInt8], String)])
    func knowsFilesByTheirBytes(_ bytes: [UInt8], _ type: String) throws {
        let database = MagicDatabase()
        #expect(database?.mediaType(of: bytes) == type)
    }
}
