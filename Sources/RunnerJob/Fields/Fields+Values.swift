extension Fields {
    /// `true` or `false`.
    func boolean(_ node: Node, _ key: String) -> Bool? {
        guard let text = number(node, key, wanted: "`true` or `false`") else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            faults.error("`\(key)` wants `true` or `false`, not \(written(node))", at: node.place)
            return nil
        }
    }

    /// A whole number in decimal digits.
    func integer(_ node: Node, _ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = number(node, key, wanted: "a whole number") else { return nil }
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            faults.error(
                "`\(key)` wants a whole number, such as \(max(range.lowerBound, 1)), not \(written(node))",
                at: node.place)
            return nil
        }
        guard let number = Int(text), range.contains(number) else {
            faults.error(
                "`\(key)` must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(written(node))",
                at: node.place)
            return nil
        }
        return number
    }

    /// A number in decimal digits with or without a fraction.
    func decimal(_ node: Node, _ key: String, in range: ClosedRange<Double>) -> Double? {
        guard let text = number(node, key, wanted: "a number") else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNumber =
            parts.count <= 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            }
        guard isNumber, let number = Double(text), range.contains(number) else {
            faults.error(
                "`\(key)` must be a number from \(range.lowerBound) to \(range.upperBound), such as 2 or 1.5, not \(written(node))",
                at: node.place)
            return nil
        }
        return number
    }

    /// A number of bytes: `512`, `10MB`, `64KiB`.
    func size(_ node: Node, _ key: String) -> Int64? {
        parsed(node, key, wanted: "a size, such as 10MB or 64KiB") { text throws(QuantityFault) in
            try SizeText.parse(text)
        }
    }

    /// Bytes a second: `10MiB/s`; never zero.
    func rate(_ node: Node, _ key: String) -> Int64? {
        let rate = parsed(node, key, wanted: "a rate, such as 10MiB/s or 500kB/s") { text throws(QuantityFault) in
            guard text.hasSuffix("/s") else {
                _ = try SizeText.parse(text)
                throw .noUnit(example: "\(text)/s")
            }
            return try SizeText.parse(String(text.dropLast(2)))
        }
        if rate == 0 {
            faults.error("`\(key)` must be more than zero", at: node.place)
            return nil
        }
        return rate
    }

    /// The time from one event to the next, given as their number in a time: `3/s`, `30/m`, `100/h`.
    func interval(_ node: Node, _ key: String) -> Duration? {
        guard let text = line(node, key) else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let units: [Substring: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let isNumber = parts[0].utf8.allSatisfy { 0x30...0x39 ~= $0 }
        guard parts.count == 2, isNumber, let number = Int(parts[0]), 1...1_000_000 ~= number,
            let seconds = units[parts[1]]
        else {
            faults.error(
                "`\(key)` wants a number in a time, such as 3/s, 30/m or 100/h, not \(written(node))", at: node.place)
            return nil
        }
        return .seconds(seconds) / number
    }

    /// A time with its unit: `300ms`, `1h30m`.
    func duration(_ node: Node, _ key: String, zeroIsAllowed: Bool = false) -> Duration? {
        let duration = parsed(node, key, wanted: "a duration, such as 30s or 1h30m") { text throws(QuantityFault) in
            try DurationText.parse(text)
        }
        if duration == .zero, !zeroIsAllowed {
            faults.error("`\(key)` must be longer than zero", at: node.place)
            return nil
        }
        return duration
    }

    /// Permission bits in octal digits, with or without a leading `0` or `0o`.
    func mode(_ node: Node, _ key: String) -> UInt16? {
        guard let text = number(node, key, wanted: "octal digits, such as 0644") else { return nil }
        let digits = text.hasPrefix("0o") ? text.dropFirst(2) : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }),
            let mode = UInt16(digits, radix: 8), mode <= 0o7777
        else {
            faults.error(
                "`\(key)` wants octal digits from 0000 to 7777, such as 0644, not \(written(node))", at: node.place)
            return nil
        }
        return mode
    }

    /// One of a few words.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ node: Node, _ key: String, of type: Value.Type = Value.self
    ) -> Value? {
        choice(node, key, among: Array(Value.allCases))
    }

    /// One of some of a type's words.
    func choice<Value: RawRepresentable<String>>(_ node: Node, _ key: String, among values: [Value]) -> Value? {
        let words = values.map(\.rawValue)
        guard let text = number(node, key, wanted: words.joined(separator: ", ")) else { return nil }
        if let value = values.first(where: { ExactText($0.rawValue) == ExactText(text) }) { return value }
        let suggestion = didYouMean(text, among: words)
        faults.error(
            "unknown value \(written(node)) for `\(key)`; it takes \(words.joined(separator: ", "))\(suggestion)",
            at: node.place)
        return nil
    }

    // MARK: What the others share

    /// The text of a field that is no free text, so that it must not be empty even in quotes.
    private func number(_ node: Node, _ key: String, wanted: String) -> String? {
        guard let scalar = scalar(node, key, wanted: wanted),
            let text = variables.expand(scalar.text, of: node)?.text
        else { return nil }
        if text.isEmpty {
            faults.error("`\(key)` is empty; it wants \(wanted)", at: node.place)
            return nil
        }
        return text
    }

    private func parsed<Value>(
        _ node: Node, _ key: String, wanted: String, _ parse: (String) throws(QuantityFault) -> Value
    ) -> Value? {
        guard let text = number(node, key, wanted: wanted) else { return nil }
        do throws(QuantityFault) {
            return try parse(text)
        } catch {
            faults.error("`\(key)` wants \(wanted): \(written(node)) \(error)", at: node.place)
            return nil
        }
    }

    /// A value as it stands in the file.
    func written(_ node: Node) -> String {
        if case .scalar(let scalar) = node.content { shown(scalar.text) } else { "this" }
    }
}
