extension String {
    /// Whether a byte is in the UTF-8 of the text.
    ///
    /// Looks at the bytes where they lie: going through `utf8` by its iterator takes three times as long.
    package func holds(_ byte: UInt8) -> Bool {
        holds { $0 == byte }
    }

    /// Whether one of the bytes in the UTF-8 of the text is of a kind.
    package func holds(_ isWanted: (UInt8) -> Bool) -> Bool {
        let bytes = utf8Span.span
        for index in bytes.indices where isWanted(bytes[index]) { return true }
        return false
    }

    /// Whether the last bytes are those.
    package func ends(with bytes: [UInt8]) -> Bool {
        utf8.count >= bytes.count && utf8.suffix(bytes.count).elementsEqual(bytes)
    }

    /// Where a byte stands last in the UTF-8 of the text, which must be one of ASCII; nil where it does not.
    package func lastIndex(ofASCII byte: UInt8) -> String.Index? {
        let bytes = utf8Span.span
        var offset = bytes.count
        while offset > 0 {
            offset -= 1
            if bytes[offset] == byte { return utf8.index(startIndex, offsetBy: offset) }
        }
        return nil
    }
}
