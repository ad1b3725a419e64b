/// One step of a YAML text, as libyaml reports it.
package struct Event: Sendable {
    /// Where the event begins.
    package var mark: Mark
    package var kind: Kind

    package init(_ kind: Kind, at mark: Mark) {
        self.kind = kind
        self.mark = mark
    }

    /// What happens at this step.
    package enum Kind: Sendable, Equatable {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        /// `*name`: the node that carries the anchor `name`.
        case alias(String)
        case scalar(text: String, style: ScalarStyle, properties: NodeProperties)
        case sequenceStart(NodeProperties)
        case sequenceEnd
        case mappingStart(NodeProperties)
        case mappingEnd
    }
}

/// How a scalar is written.
package enum ScalarStyle: Sendable, Equatable {
    case plain
    case singleQuoted, doubleQuoted
    case literal, folded
}

/// What stands before a node: `&anchor` and `!tag`.
package struct NodeProperties: Sendable, Equatable {
    package var anchor: String?
    /// The tag with its prefix resolved, such as `tag:yaml.org,2002:str`; nil where none is written.
    package var tag: String?

    package init(anchor: String? = nil, tag: String? = nil) {
        self.anchor = anchor
        self.tag = tag
    }
}

/// A position in a YAML text.
///
/// Both numbers start at 1; the column counts Unicode scalars.
/// Line breaks are those of YAML 1.1: LF, CR, CR LF, U+0085, U+2028 and U+2029.
package struct Mark: Sendable, Hashable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// Why libyaml could not go on.
package struct ParseError: Error, Hashable, Sendable {
    /// What is wrong, in libyaml's words.
    package var problem: String
    /// What was being read, in libyaml's words; nil where it does not say.
    package var context: String?
    package var mark: Mark
    /// Where what was being read begins; nil where there is no context.
    package var contextMark: Mark?

    package init(problem: String, context: String? = nil, mark: Mark, contextMark: Mark? = nil) {
        self.problem = problem
        self.context = context
        self.mark = mark
        self.contextMark = contextMark
    }
}
