import RunnerStorage
import Testing

@Suite("Media types by the names of files")
struct MediaTypesTests {
    private let types = MediaTypes(
        Array(
            """
            # comment
            50:application/zip:*.zip
            50:application/gzip:*.gz
            55:application/x-compressed-tar:*.tar.gz
            40:text/weak:*.zip
            80:text/x-makefile:makefile
            50:text/x-c++src:*.C:cs
            10:text/odd:[0-9].x
            broken
            """.utf8))

    @Test(arguments: [
        ("a.zip", "application/zip"), ("A.ZIP", "application/zip"), ("a.tar.gz", "application/x-compressed-tar"),
        ("a.b.gz", "application/gzip"), ("Makefile", "text/x-makefile"), ("a", "application/octet-stream"),
        ("zip", "application/octet-stream"), (".zip", "application/zip"), ("a.zip.", "application/octet-stream"),
    ])
    func theLongestSuffixDecides(_ name: String, _ type: String) {
        #expect(types.type(of: name) == type)
    }

    @Test func nothingIsKnownWithoutADatabase() {
        #expect(MediaTypes([]).type(of: "a.zip") == "application/octet-stream")
    }
}
