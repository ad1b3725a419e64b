import RunnerJob
import Testing

@Suite("Suggestion")
struct SuggestionTests {
    static let known = ["download", "mirrors", "sha256", "sha512", "to", "timeout", "retry", "expect"]

    @Test(arguments: [
        ("downlaod", "download"), ("Download", "download"), ("mirror", "mirrors"), ("sha265", "sha256"),
        ("sha25", "sha256"), ("timeuot", "timeout"), ("ot", "to"), ("rertry", "retry"), ("TIMEOUT", "timeout"),
    ])
    func namesTheNearestWord(word: String, expected: String) {
        #expect(Suggestion.nearest(to: word, among: Self.known) == expected)
    }

    @Test(arguments: ["", "colour", "upload-it", "x", "zzz", "exhaust"])
    func isSilentWhenNothingIsNear(word: String) {
        #expect(Suggestion.nearest(to: word, among: Self.known) == nil)
    }

    @Test func takesTheEarlierOfTwoThatAreEquallyNear() {
        #expect(Suggestion.nearest(to: "sha5", among: ["sha1", "sha2"]) == "sha1")
    }

    /// One edit makes a single character any other.
    @Test(arguments: [("1", nil), ("A", "a")] as [(String, String?)]) func aSingleCharacterIsNearToItselfOnly(
        word: String, expected: String?
    ) {
        #expect(Suggestion.nearest(to: word, among: ["2", "1.0", "a"]) == expected)
    }

    @Test func anEmptyListHasNoSuggestion() {
        #expect(Suggestion.nearest(to: "a", among: []) == nil)
    }
}
