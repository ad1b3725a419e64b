/// A text of the job file in backquotes, fit for a message: control characters spelt out, long texts cut.
func shown(_ text: String) -> String {
    let ceiling = 80
    var result = "`"
    var rest = text.unicodeScalars[...]
    for scalar in rest.prefix(ceiling) {
        let isHidden = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        result += isHidden ? "<U+\(String(scalar.value, radix: 16, uppercase: true))>" : String(scalar)
    }
    rest = rest.dropFirst(ceiling)
    return result + (rest.isEmpty ? "`" : "…`")
}

/// `; did you mean …?` for a word that is not known, or nothing where no known word is near.
func didYouMean(_ word: String, among known: some Sequence<String>) -> String {
    Suggestion.nearest(to: word, among: known).map { "; did you mean `\($0)`?" } ?? ""
}
