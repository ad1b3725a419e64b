import LibExpat
import Testing

@Suite("XML")
struct XMLEventsTests {
    /// The events on one line: elements in brackets, text between bars.
    private func read(_ text: String) -> String {
        XMLEvents.read(Array(text.utf8)).map { event in
            switch event {
            case .start(let name): "<\(name)"
            case .text(let text): text
            case .end: ">"
            }
        }.joined()
    }

    @Test(arguments: [
        ("<a><b>x</b></a>", "<a<bx>>"),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>1 &lt; 2 &#x41;<![CDATA[<&]]></a>", "<a1 < 2 A<&>"),
        ("\u{FEFF}<a>ä</a>", "<aä>"),
        ("<n:a xmlns:n='u'/>", "<n:a>"),
        ("", ""), ("no XML", ""), ("{\"a\": 1}", ""),
    ])
    func readsWhatItSays(_ text: String, _ events: String) {
        #expect(read(text) == events)
    }

    @Test func readsALatin1Text() {
        let bytes = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>".utf8) + [0xE4] + Array("</a>".utf8)
        #expect(XMLEvents.read(bytes) == [.start("a"), .text("ä"), .end])
    }

    @Test func readsUpToWhereTheTextIsCutOrBroken() {
        #expect(read("<a><b>x</b><c>ha") == "<a<bx><cha")
        #expect(read("<a><b>x</b></c>") == "<a<bx>")
        #expect(read("<a><b") == "<a")
    }

    @Test func entitiesOfItsOwnAreNotResolved() {
        let text = "<!DOCTYPE a [<!ENTITY x \"lol\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]><a>&x;&f;</a>"
        #expect(read(text) == "")
    }
}
