/// A line of a configuration file of curl: an option, and what stands behind it (curl(1), --config).
struct CurlLine {
    /// The long name, without dashes.
    var name: String
    /// Nil where nothing stands behind the option.
    var value: String?

    /// Nil for a line that has no option.
    init?(_ line: String) {
        var rest = line[...].drop { $0 == " " || $0 == "\t" }
        guard let first = rest.first, first != "#" else { return nil }
        if first == "-", rest.dropFirst().first != "-" {
            // A single dash and a letter; what is right behind it is the value.
            rest = rest.dropFirst()
            guard let letter = rest.popFirst() else { return nil }
            name = CurlOption.longName(of: letter) ?? String(letter)
        } else {
            rest = rest.drop { $0 == "-" }
            let word = rest.prefix { !" \t=:".contains($0) }
            guard !word.isEmpty else { return nil }
            name = String(word)
            rest = rest.dropFirst(word.count)
        }
        rest = rest.drop { " \t=:".contains($0) }
        value = rest.isEmpty ? nil : rest.first == "\"" ? Self.unquoted(rest.dropFirst()) : Self.word(rest)
    }

    /// The text up to the closing quote, its escapes resolved; what is behind it does not count.
    private static func unquoted(_ rest: Substring) -> String {
        var result = ""
        var rest = rest
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\" else {
                result.append(character)
                continue
            }
            switch rest.popFirst() {
            case "t": result.append("\t")
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "v": result.append("\u{B}")
            case let other?: result.append(other)
            case nil: break
            }
        }
        return result
    }

    /// curl takes the text up to the first blank, as one that is meant would stand in quotes.
    private static func word(_ rest: Substring) -> String {
        String(rest.prefix { $0 != " " && $0 != "\t" })
    }
}
