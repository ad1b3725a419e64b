/// Takes secrets out of what is printed, logged or reported.
///
/// It masks the values that the job knows to be secret, however they are encoded; user info and query values that
/// look like credentials in URLs; and the values of `Authorization`, `Cookie` and the like where a header is quoted.
/// Text in which there is nothing to mask comes back as it is.
public struct Redactor: Sendable {
    /// What stands where a secret stood.
    public static let mask = "***"

    private let secrets: SecretMatcher
    private let urlTriggers: TriggerBytes
    private let textTriggers: TriggerBytes

    /// Knows the given values as secrets; see ``Job/secrets``.
    public init(secrets: some Sequence<String> = []) {
        self.secrets = SecretMatcher(secrets)
        // Without one of these there is no user info and no query; header fields have a colon.
        let delimiters = Array("@?#&;".utf8) + self.secrets.firstBytes
        urlTriggers = TriggerBytes(delimiters)
        textTriggers = TriggerBytes(delimiters + ":".utf8)
    }

    /// Masks one URL; what is not a URL is treated as text.
    public func url(_ url: String) -> String {
        guard urlTriggers.isTouched(by: url) else { return url }
        let bytes = Array(url.utf8)
        var edits = Edits()
        URLCredentials.find(in: bytes, &edits)
        return finish(url, bytes, edits)
    }

    /// Masks everything in a text that looks like a secret: a message, a header, the start of a body.
    public func text(_ text: String) -> String {
        guard textTriggers.isTouched(by: text) else { return text }
        let bytes = Array(text.utf8)
        var edits = Edits()
        URLCredentials.findAll(in: bytes, &edits)
        HeaderCredentials.find(in: bytes, &edits)
        return finish(text, bytes, edits)
    }

    /// The text, unless it has a secret in it: for what is compared later, and is of no use masked.
    public func unlessSecret(_ text: String?) -> String? {
        guard let text, secrets.isTouched(by: text) else { return text }
        var edits = Edits()
        secrets.find(in: Array(text.utf8), &edits)
        return edits.isEmpty ? text : nil
    }

    /// Masks what gives access in URLs where a text that came from their servers says it again.
    public static func text(_ text: String, withoutCredentialsOf urls: some Sequence<String>) -> String {
        let values = urls.flatMap { url in
            let bytes = Array(url.utf8)
            var edits = Edits()
            URLCredentials.find(in: bytes, &edits)
            // A short one is likely to be in any text.
            return edits.texts(of: bytes).filter { $0.utf8.count >= 8 }.flatMap {
                [$0, String(decoding: PercentEncoding.decode($0.utf8), as: UTF8.self)]
            }
        }
        return values.isEmpty ? text : Redactor(secrets: values).text(text)
    }

    private func finish(_ original: String, _ bytes: [UInt8], _ edits: consuming Edits) -> String {
        secrets.find(in: bytes, &edits)
        return edits.isEmpty ? original : edits.apply(to: bytes, mask: Self.mask)
    }
}

/// Bytes of which one at least must be in a text for anything to be masked in it.
private struct TriggerBytes: Sendable {
    private var table = Array(repeating: false, count: 256)

    init(_ bytes: [UInt8]) {
        for byte in bytes { table[Int(byte)] = true }
    }

    /// Looks at the bytes in place, without a copy of the text.
    func isTouched(by text: String) -> Bool {
        let bytes = text.utf8.span
        for index in bytes.indices where table[Int(bytes[index])] { return true }
        return false
    }
}

/// Ranges of a text that are to be masked.
struct Edits {
    private var ranges: [Range<Int>] = []

    var isEmpty: Bool { ranges.isEmpty }

    /// What is to be masked of a text.
    func texts(of bytes: [UInt8]) -> [String] { ranges.map { String(decoding: bytes[$0], as: UTF8.self) } }

    mutating func mask(_ range: Range<Int>) {
        if !range.isEmpty { ranges.append(range) }
    }

    /// The text with one mask for each run of ranges that overlap or touch.
    consuming func apply(to bytes: [UInt8], mask: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = 0
        var isMasked = false
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > position || !isMasked {
                output += bytes[position..<max(position, range.lowerBound)]
                output += mask.utf8
                isMasked = true
            }
            position = max(position, range.upperBound)
        }
        output += bytes[position...]
        return String(decoding: output, as: UTF8.self)
    }
}
