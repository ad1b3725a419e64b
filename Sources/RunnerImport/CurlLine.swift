internal import RunnerJob

/// An option of a configuration file of curl, and what stands behind it (curl(1), --config).
struct CurlLine {
    /// The long name, without dashes.
    var name: String
    /// Nil where nothing stands behind the option.
    var value: String?
    /// What stands behind the value, which curl does not take.
    var rest = ""

    /// The options of a line: several where letters share a dash, as in `-sSLo file`.
    static func options(of line: String) -> [Self] {
        var rest = line[...].drop { $0 == " " || $0 == "\t" }
        guard let first = rest.first, first != "#" else { return [] }
        var options: [Self] = []
        var name: String
        if first == "-", rest.dropFirst().first != "-" {
            rest = rest.dropFirst()
            guard let letter = rest.popFirst(), letter != " ", letter != "\t" else { return [] }
            name = CurlOption.longName(of: letter)
            while CurlOption.isFlag(letter: name), let next = rest.first, next != " ", next != "\t" {
                options.append(Self(name: name))
                name = CurlOption.longName(of: next)
                rest = rest.dropFirst()
            }
            // What is right behind a letter that takes a value is the value.
            rest = rest.drop { $0 == " " || $0 == "\t" }
        } else {
            rest = rest.drop { $0 == "-" }
            let word = rest.prefix { !" \t=:".contains($0) }
            guard !word.isEmpty else { return [] }
            name = String(word)
            rest = rest.dropFirst(word.count).drop { " \t=:".contains($0) }
        }
        var option = Self(name: name)
        if !rest.isEmpty {
            option.value = rest.first == "\"" ? unquoted(&rest) : word(&rest)
            let behind = String(rest).trimmingBlanks()
            option.rest = behind.hasPrefix("#") ? "" : behind
        }
        return options + [option]
    }

    /// The text up to the closing quote, its escapes resolved.
    private static func unquoted(_ rest: inout Substring) -> String {
        var result = ""
        rest.removeFirst()
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
    private static func word(_ rest: inout Substring) -> String {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        rest = rest[word.endIndex...]
        return String(word)
    }
}
