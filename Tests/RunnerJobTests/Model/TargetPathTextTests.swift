import RunnerJob
import Testing

@Suite struct TargetPathTextTests {
    @Test(arguments: [
        ("a", "a"), ("a/b.c", "a/b.c"), ("./d//a", "d/a"), ("d/b/../a", "d/a"), ("a/", "a"), ("a/.", "a"), ("./a", "a"),
        ("a/b/../../c", "c"), ("/x/../y", "/y"), ("//x", "/x"), (".hidden", ".hidden"), ("...", "..."),
        ("..a/b", "..a/b"),
        ("-rf", "-rf"), ("a b", "a b"), ("a ", "a "), ("p$HOME", "p$HOME"), ("./~x", "~x"), ("a/~b", "a/~b"),
        ("a\\b", "a\\b"),
        ("é/日", "é/日"), ("a\u{A0}b", "a\u{A0}b"),
    ])
    func writesAPathInItsShortestSpelling(text: String, path: String) throws {
        #expect(try TargetPath(text).path == ExactText(path))
    }

    @Test func leavesTheNormalForm() throws {
        #expect(try TargetPath("\u{E9}") != TargetPath("e\u{301}"))
    }

    @Test(arguments: [
        ("", PathFault.empty), ("~/x", .tilde), ("~", .tilde), ("~user/x", .tilde), ("../a", .outside),
        ("a/../../b", .outside),
        ("/..", .outside), ("..", .outside), (".", .noName), ("./", .noName), ("a/..", .noName), ("/", .noName),
        ("a\nb", .controlCharacter), ("a\u{0}b", .controlCharacter), ("a\u{7F}", .controlCharacter),
        ("a\u{85}b", .controlCharacter),
        (String(repeating: "x", count: 256), .partTooLong), ("a/" + String(repeating: "日", count: 86), .partTooLong),
        ("a/./" + String(repeating: "x", count: 256), .partTooLong),
        (String(repeating: "abc/", count: 1024), .tooLong),
    ])
    func refusesTheRest(text: String, fault: PathFault) {
        #expect(throws: fault) { try TargetPath(text) }
    }

    @Test func takesPartsOf255Bytes() throws {
        let name = String(repeating: "日", count: 85)
        #expect(try TargetPath("a/" + name).name == name)
    }

    @Test(arguments: [
        ("d/", "x", "d/x"), (".", "x", "x"), ("./", "x", "x"), ("/", "x", "/x"), ("/d", "~x", "/d/~x"),
        ("d", "..x", "d/..x"),
    ])
    func putsANameIntoAFolder(folder: String, name: String, path: String) throws {
        #expect(try TargetPath(folder: folder, name: name).path == ExactText(path))
    }

    @Test(arguments: [
        ("d", "", PathFault.noName), ("d", "..", .noName), ("d", ".", .noName), ("d", "a/b", .noName),
        ("../d", "a", .outside),
        ("d", "a\nb", .controlCharacter), ("d", String(repeating: "x", count: 256), .partTooLong), ("", "a", .empty),
    ])
    func refusesNamesThatAreNone(folder: String, name: String, fault: PathFault) {
        #expect(throws: fault) { try TargetPath(folder: folder, name: name) }
    }

    @Test(arguments: [PathFault.empty, .tilde, .controlCharacter, .outside, .partTooLong, .tooLong, .noName])
    func hasWordsForEveryFault(fault: PathFault) {
        #expect(fault.description.count > 10)
    }
}
