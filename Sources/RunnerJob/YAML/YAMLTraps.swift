internal import LibYAML

/// Words for what goes wrong when YAML reads a text otherwise than its writer meant it.
enum YAMLTraps {
    static let quoteVariable =
        "inside `[ ]` and `{ }` a text with `${…}` must be in quotes, such as \"${name}/file\""

    /// A fault of libyaml, told as what to do about it.
    static func explain(_ error: ParseError, file: Int32, in lines: LineIndex) -> Diagnostic {
        if error.context == "while scanning a quoted scalar", let mark = error.contextMark,
            error.problem.contains("end of stream")
        {
            return Diagnostic(.error, "a quote is opened here and never closed", at: Place(mark, file: file))
        }
        let place = Place(error.mark, file: file)
        let notes: [Diagnostic.Note] =
            if let mark = error.contextMark, mark.line != error.mark.line, error.context != nil {
                [Diagnostic.Note("what is being read begins here", at: Place(mark, file: file))]
            } else { [] }
        return Diagnostic(.error, words(error, around(error.mark, in: lines)), at: place, notes: notes)
    }

    /// The characters on both sides of a mark, and whether only blanks stand before it on its line.
    private static func around(_ mark: Mark, in lines: LineIndex) -> (before: Character?, at: Character?, line: String)
    {
        guard let line = lines.line(mark.line) else { return (nil, nil, "") }
        let scalars = Array(line.unicodeScalars.prefix(mark.column))
        let at = scalars.count == mark.column ? scalars.last : nil
        let before = mark.column >= 2 && scalars.count >= mark.column - 1 ? scalars[mark.column - 2] : nil
        return (before.map(Character.init), at.map(Character.init), line)
    }

    private static func words(
        _ error: ParseError, _ around: (before: Character?, at: Character?, line: String)
    ) -> String {
        let problem = error.problem
        if around.at == "{", around.before == "$" { return quoteVariable }
        if around.at == "\u{FEFF}" || around.before == "\u{FEFF}" {
            return "a byte order mark (U+FEFF) stands in the middle of the file; remove it"
        }
        if around.at == "\t" || problem.contains("tab character") {
            return "a tab cannot stand here; indent with spaces"
        }
        if problem.contains("cannot start any token"), let character = around.at {
            return "a text cannot begin with `\(character)` in YAML; put the whole text in quotes"
        }
        switch error.context {
        case "while scanning an alias":
            return "`*` begins an alias in YAML; put a text that begins with `*` in quotes"
        case "while scanning an anchor":
            return "`&` begins an anchor in YAML; put a text that begins with `&` in quotes"
        default: return words(problem)
        }
    }

    private static func words(_ problem: String) -> String {
        switch problem {
        case "mapping values are not allowed in this context":
            "`: ` is not allowed here; put a text that holds it in quotes, or check the indentation"
        case "block sequence entries are not allowed in this context":
            "`- ` begins an item of a list, which cannot stand here; begin the list on a line of its own"
        case "could not find expected ':'":
            "a key without `:`; write `key: value`, and check the indentation"
        case "did not find expected key", "did not find expected '-' indicator",
            "did not find expected <document start>":
            "this does not fit what stands above it; check the indentation, and put a text in quotes that begins with"
                + " a quote, `{` or `[`"
        case "did not find expected ',' or ']'": "a `,` or `]` is missing before this"
        case "did not find expected ',' or '}'": "a `,` or `}` is missing before this"
        case "did not find expected node content": "a value is missing here"
        case "found unknown escape character":
            "in double quotes `\\` begins an escape, and this one is not known; write `\\\\`, or use single quotes"
        case "found undefined tag handle": "this tag is not known; put a text that begins with `!` in quotes"
        default: "YAML cannot be read here: \(problem)"
        }
    }

    /// A list or mapping that stands where a key is wanted: `{{ name }}` most of the time.
    static func collectionAsKey(at place: Place, in lines: LineIndex) -> Diagnostic {
        let rest = (lines.line(Int(place.line)) ?? "").unicodeScalars.dropFirst(max(0, Int(place.column) - 2))
        if String(rest).hasPrefix("{{") {
            return Diagnostic(
                .error,
                "`{{` begins a mapping in a mapping; a variable is written ${name}, and a text that begins with `{`"
                    + " is put in quotes", at: place)
        }
        return Diagnostic(.error, "a key must be a text, not a list or mapping", at: place)
    }

    /// An alias without its anchor.
    static func unknownAnchor(_ name: String, isOpen: Bool, at place: Place) -> Diagnostic {
        let message =
            isOpen
            ? "the anchor \(shown(name)) is used inside itself"
            : "there is no anchor \(shown("&" + name)) before this alias; put a text that begins with `*` in quotes"
        return Diagnostic(.error, message, at: place)
    }
}
