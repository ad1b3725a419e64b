internal import CLibExpat

/// Reads a whole XML text.
package enum XMLDocument {
    /// Elements that lie in each other.
    private static let depth = 100
    /// What stands between a namespace and a name; no URI holds it.
    fileprivate static let separator: Character = "\n"

    /// The root of a text.
    ///
    /// A text with a document type is refused: entities of its own can make much of little, or name files (CWE-776,
    /// CWE-611).
    /// - Throws: ``XMLFault``, in the words of expat for what is not well-formed.
    package static func read(_ bytes: [UInt8]) throws(XMLFault) -> XMLElement {
        guard let parser = XML_ParserCreateNS(nil, CChar(bitPattern: UInt8(ascii: "\n"))) else {
            throw XMLFault(message: "there is no memory to read XML", line: 1, column: 1)
        }
        defer { XML_ParserFree(parser) }
        let builder = Builder(parser, depth: depth)
        XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
        XML_SetElementHandler(parser, startElement, endElement)
        XML_SetCharacterDataHandler(parser, characters)
        XML_SetStartDoctypeDeclHandler(parser, documentType)
        let count = Int32(clamping: bytes.count)
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1)
        }
        if status.rawValue != 0, let root = builder.root { return root }
        let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it cannot be read"
        throw XMLFault(
            message: builder.refusal ?? "this is no well-formed XML: \(words)",
            line: Int(XML_GetCurrentLineNumber(parser)), column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
    }
}

/// Puts the elements together that the callbacks of one call are told of.
private final class Builder {
    let parser: OpaquePointer
    private let depth: Int
    private var open: [XMLElement] = []
    private(set) var root: XMLElement?
    /// Why reading was stopped.
    private(set) var refusal: String?

    init(_ parser: OpaquePointer, depth: Int) {
        self.parser = parser
        self.depth = depth
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Builder? {
        context.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    func refuse(_ reason: String) {
        refusal = reason
        // XML_FALSE is a macro with a cast, which Swift does not see.
        XML_StopParser(parser, 0)
    }

    func begin(_ name: String, _ attributes: [String: String]) {
        guard open.count < depth else { return refuse("elements lie in each other more than \(depth) deep") }
        let parts = name.split(separator: XMLDocument.separator, maxSplits: 1)
        open.append(
            XMLElement(
                name: String(parts.last ?? ""), namespace: parts.count > 1 ? String(parts[0]) : "",
                attributes: attributes, line: Int(XML_GetCurrentLineNumber(parser))))
    }

    func add(_ text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    func end() {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
}

private let startElement: XML_StartElementHandler = { context, name, attributes in
    guard let name, let builder = Builder.of(context) else { return }
    var found: [String: String] = [:]
    // Names and values in turn, up to a null pointer.
    var next = attributes
    while let here = next, let key = here[0], let value = here[1] {
        found[String(cString: key)] = String(cString: value)
        next = here + 2
    }
    builder.begin(String(cString: name), found)
}

private let endElement: XML_EndElementHandler = { context, _ in
    Builder.of(context)?.end()
}

private let characters: XML_CharacterDataHandler = { context, text, count in
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    Builder.of(context)?.add(String(decoding: bytes, as: UTF8.self))
}

private let documentType: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    Builder.of(context)?.refuse("a document type is not read; take it out")
}
