import RunnerJob
import Testing

@Suite struct DirectoryLineTests {
    @Test(arguments: [
        ("version: 1\ntasks: []\n", "/job"),
        ("version: 1\ndirectory: out\n", "/job/out"),
        ("directory: ./out/../x # where\n", "/job/x"),
        ("version: 1\r\ndirectory: 'a b'\r\ntasks: []", "/job/a b"),
        ("version: 1\ndirectory: \"/srv/x\"", "/srv/x"),
        ("version: 1\ndirectory:\n", "/job"),
        ("version: 1\ndefaults:\n  directory: x\n", "/job"),
        ("", "/job"), ("directory", "/job"), ("directory:", "/job"),
        // No path, and a wrong guess does no harm.
        ("directory: ../../..\n", "/job"),
    ])
    func isReadFromTheTextAlone(text: String, directory: String) {
        #expect(DirectoryLine.directory(of: Array(text.utf8), in: "/job") == directory)
    }
}
