internal import CLibExpat

/// Reads the beginning of an XML text.
package enum XMLEvents {
    /// What a text says until it ends, is cut off, or is no XML any more.
    ///
    /// A text with a document type is read no further than there: entities of its own can make much of little.
    package static func read(_ bytes: [UInt8]) -> [XMLEvent] {
        guard let parser = XML_ParserCreate(nil) else { return [] }
        defer { XML_ParserFree(parser) }
        let collector = Collector(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(collector).toOpaque())
        XML_SetElementHandler(parser, startElement, endElement)
        XML_SetCharacterDataHandler(parser, characters)
        XML_SetStartDoctypeDeclHandler(parser, documentType)
        let count = Int32(clamping: bytes.count)
        bytes.withUnsafeBytes { buffer in
            // More may follow, so that a text that is cut off is no error.
            _ = XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count, 0)
        }
        return collector.events
    }
}

/// What the callbacks of one call have been told.
private final class Collector {
    let parser: OpaquePointer
    var events: [XMLEvent] = []

    init(_ parser: OpaquePointer) {
        self.parser = parser
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Collector? {
        context.map { Unmanaged<Collector>.fromOpaque($0).takeUnretainedValue() }
    }
}

private let startElement: XML_StartElementHandler = { context, name, _ in
    guard let name else { return }
    Collector.of(context)?.events.append(.start(String(cString: name)))
}

private let endElement: XML_EndElementHandler = { context, _ in
    Collector.of(context)?.events.append(.end)
}

private let characters: XML_CharacterDataHandler = { context, text, count in
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    Collector.of(context)?.events.append(.text(String(decoding: bytes, as: UTF8.self)))
}

private let documentType: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    // XML_FALSE is a macro with a cast, which Swift does not see.
    if let parser = Collector.of(context)?.parser { XML_StopParser(parser, 0) }
}
