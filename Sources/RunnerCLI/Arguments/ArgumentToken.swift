/// One command-line word by its form alone: nothing is known yet of which options there are.
package enum ArgumentToken: Hashable, Sendable {
    /// `--name` or `--name=value`; the value may be empty.
    case long(name: String, value: String?)
    /// `-abc`, without its dash; which letters are options and which a value is for the parser to say.
    case short(String)
    /// `--`: what follows is no option.
    case terminator
    /// Anything else; `-` included, which stands for standard input or output.
    case plain(String)

    /// Reads a word as it would be read before a `--` (POSIX utility syntax guidelines 3 to 10, with GNU long options).
    package init(_ word: String) {
        if word == "--" {
            self = .terminator
        } else if word.hasPrefix("--") {
            let body = word.dropFirst(2)
            if let sign = body.firstIndex(of: "=") {
                self = .long(name: String(body[..<sign]), value: String(body[body.index(after: sign)...]))
            } else {
                self = .long(name: String(body), value: nil)
            }
        } else if word.hasPrefix("-"), word != "-" {
            self = .short(String(word.dropFirst()))
        } else {
            self = .plain(word)
        }
    }
}
