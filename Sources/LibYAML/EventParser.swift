internal import CLibYAML

/// Reads a YAML text event by event.
///
/// Holds the text and libyaml's parser; both are freed with the value.
package struct EventParser: ~Copyable {
    // yaml_parser_t keeps pointers into itself, so it must stay at one address: it lives on the heap.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    // libyaml reads the text while events are pulled, so the bytes have to stay where they are until then.
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// Prepares to read a text in UTF-8.
    ///
    /// - Throws: ``ParseError`` when there is no memory.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        text = .allocate(capacity: max(bytes.count, 1))
        _ = text.update(fromContentsOf: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            throw ParseError(problem: "out of memory", mark: Mark(line: 1, column: 1))
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
    }

    deinit {
        // A parser whose initialisation failed is all zeros, which yaml_parser_delete accepts.
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// The next event; after ``Event/Kind/streamEnd`` the events are over and it is returned again and again.
    ///
    /// - Throws: ``ParseError`` where the text is no YAML.
    package mutating func next() throws(ParseError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { yaml_event_delete(&event) }
        return Event(kind(of: event), at: Mark(event.start_mark))
    }

    private func failure() -> ParseError {
        let state = parser.pointee
        return ParseError(
            problem: state.problem.map { String(cString: $0) } ?? "out of memory",
            context: state.context.map { String(cString: $0) },
            mark: Mark(state.problem_mark),
            contextMark: state.context == nil ? nil : Mark(state.context_mark)
        )
    }

    private func kind(of event: yaml_event_t) -> Event.Kind {
        switch event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_ALIAS_EVENT: return .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return .scalar(
                text: String(decoding: bytes, as: UTF8.self),
                style: ScalarStyle(scalar.style),
                properties: properties(scalar.anchor, scalar.tag)
            )
        case YAML_SEQUENCE_START_EVENT:
            return .sequenceStart(properties(event.data.sequence_start.anchor, event.data.sequence_start.tag))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            return .mappingStart(properties(event.data.mapping_start.anchor, event.data.mapping_start.tag))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        // YAML_NO_EVENT is what libyaml gives after the end of the stream.
        default: return .streamEnd
        }
    }

    private func properties(
        _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?
    ) -> NodeProperties {
        NodeProperties(anchor: text(anchor), tag: text(tag))
    }

    private func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        characters.map { String(cString: $0) }
    }
}

extension Mark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(clamping: mark.line) &+ 1, column: Int(clamping: mark.column) &+ 1)
    }
}

extension ScalarStyle {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: self = .literal
        case YAML_FOLDED_SCALAR_STYLE: self = .folded
        default: self = .plain
        }
    }
}
