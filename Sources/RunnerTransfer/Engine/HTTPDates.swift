import LibCurl

/// Remembers the last date of each kind, since replies of one second, and files of one upload, have the same.
///
/// Reading one takes libcurl longer than all the rest of a small file's head. Belongs to the network thread.
final class HTTPDates {
    /// The last text of a field, and what it says.
    struct Memory {
        private var text = ""
        private var seconds: Int64?

        /// Seconds since 1970; nil when the text is no date.
        mutating func time(_ text: String) -> Int64? {
            if text != self.text || text.isEmpty {
                seconds = httpDate(text)
                self.text = text
            }
            return seconds
        }
    }

    var sent = Memory()
    var modified = Memory()
}
