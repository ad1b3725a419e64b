/// A text of the job file in backquotes, fit for a message: what cannot be seen spelt out, long texts cut.
package func shown(_ text: String) -> String {
    let ceiling = 80
    var result = "`"
    var rest = text.unicodeScalars[...]
    for scalar in rest.prefix(ceiling) {
        result += isHidden(scalar) ? "<\(codePoint(scalar))>" : String(scalar)
    }
    rest = rest.dropFirst(ceiling)
    return result + (rest.isEmpty ? "`" : "…`")
}

private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    case .spaceSeparator: scalar != " "
    default: false
    }
}

private func codePoint(_ scalar: Unicode.Scalar) -> String {
    "U+\(String(scalar.value, radix: 16, uppercase: true))"
}

/// `; …` for a word with a blank in it that looks like a plain one, as they come out of web pages, or nothing.
func otherBlank(in word: String) -> String {
    let blanks = word.unicodeScalars.filter { $0 != " " && $0.properties.generalCategory == .spaceSeparator }
    guard let blank = blanks.first else { return "" }
    return "; \(codePoint(blank)) is another blank than that of the space bar; write that one"
}

/// `; did you mean …?` for a word that is not known, or nothing where no known word is near.
func didYouMean(_ word: String, among known: some Sequence<String>) -> String {
    Suggestion.nearest(to: word, among: known).map { "; did you mean `\($0)`?" } ?? ""
}
