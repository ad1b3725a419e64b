import RunnerJob
import Testing

@testable import RunnerTransfer

/// What FTP and SFTP servers are asked, so that a file appears as a whole.
@Suite struct NamingCommandsTests {
    private func commands(_ naming: UploadNaming, _ url: String) throws -> NamingCommands? {
        NamingCommands(naming, for: try Sample.url(url))
    }

    @Test(arguments: [
        ("ftp://h.test/a/b.bin", "ftp://h.test/a/.p", ["RNFR .p", "RNTO b.bin"]),
        ("ftp://h.test/b.bin", "ftp://h.test/.p", ["RNFR .p", "RNTO b.bin"]),
        ("ftp://h.test/a/b%20%C3%A4;type=a", "ftp://h.test/a/.p;type=a", ["RNFR .p", "RNTO b \u{E4}"]),
        ("ftp://h.test/a%2Fb", "ftp://h.test/a%2F.p", ["RNFR .p", "RNTO b"]),
        ("sftp://h.test/a/b.bin", "sftp://h.test/a/.p", ["*rm \"/a/b.bin\"", "rename \"/a/.p\" \"/a/b.bin\""]),
        ("sftp://h.test/~/b", "sftp://h.test/~/.p", ["*rm \"b\"", "rename \".p\" \"b\""]),
        (
            "sftp://h.test/a%22/b%5C;type=i", "sftp://h.test/a%22/.p",
            ["*rm \"/a\\\"/b\\\\;type=i\"", "rename \"/a\\\"/.p\" \"/a\\\"/b\\\\;type=i\""]
        ),
    ])
    func aFileGetsItsNameWhenItIsWhole(_ url: String, _ sentTo: String, _ afterwards: [String]) throws {
        let found = try #require(try commands(.staged(".p"), url))
        // libcurl may write the digits of an escape anew.
        #expect(found.url.lowercased() == sentTo.lowercased())
        #expect(found.afterwards == afterwards)
    }

    @Test func whatWasLeftIsTakenAway() throws {
        let direct = try #require(try commands(.direct(leftover: ".p"), "ftp://h.test/a/b"))
        #expect(direct.url == "ftp://h.test/a/b" && direct.afterwards == ["*DELE .p"])
        let removal = try #require(try commands(.removal(".p"), "sftp://h.test/a/b"))
        #expect(removal.url == "sftp://h.test/a/" && removal.afterwards == ["*rm \"/a/.p\""])
    }

    @Test(arguments: ["ftp://h.test/a/", "ftp://h.test", "sftp://h.test/a%0D/b"])
    func whatIsNoNameIsLeftToLibcurl(_ url: String) throws {
        #expect(try commands(.staged(".p"), url) == nil)
    }
}
