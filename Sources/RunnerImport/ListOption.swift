internal import RunnerJob

/// What an option of a download program comes to here.
struct ListOption: Sendable {
    /// What a right value is, for the message about a wrong one.
    var wanted: String
    /// Whether it takes no value.
    var isFlag = false
    /// Whether it asks for nothing.
    var isNeedless = false
    /// Takes a value and its place; false where it is none.
    var take: @Sendable (String, Place, inout ImportedSettings) -> Bool

    /// An option that asks for what is done anyway, or for what concerns only the program that it is of.
    static let needless = ListOption(wanted: "", isNeedless: true) { _, _, _ in true }

    static func text(_ set: @escaping @Sendable (inout ImportedSettings, String, Place) -> Void) -> ListOption {
        ListOption(wanted: "a text") { value, place, settings in
            guard !value.isEmpty else { return false }
            set(&settings, value, place)
            return true
        }
    }

    /// A whole number.
    static func number(_ set: @escaping @Sendable (inout ImportedSettings, Int?) -> Void) -> ListOption {
        amount("a number", ListQuantity.number, set)
    }

    static func seconds(_ set: @escaping @Sendable (inout ImportedSettings, Int64?) -> Void) -> ListOption {
        amount("a number of seconds", ListQuantity.seconds, set)
    }

    static func bytes(_ set: @escaping @Sendable (inout ImportedSettings, Int64?) -> Void) -> ListOption {
        amount("a number of bytes, such as 500K or 2M", ListQuantity.bytes, set)
    }

    /// A number of something; 0 is these programs' word for no limit.
    private static func amount<Number: BinaryInteger & SendableMetatype>(
        _ wanted: String, _ parse: @escaping @Sendable (String) -> Number?,
        _ set: @escaping @Sendable (inout ImportedSettings, Number?) -> Void
    ) -> ListOption {
        ListOption(wanted: wanted) { value, _, settings in
            guard let number = parse(value) else { return false }
            set(&settings, number == 0 ? nil : number)
            return true
        }
    }

    /// A word that turns something on or off.
    static func flag(
        _ words: [String: Bool], _ set: @escaping @Sendable (inout ImportedSettings, Bool) -> Void
    ) -> ListOption {
        ListOption(wanted: words.keys.sorted().joined(separator: " or ")) { value, _, settings in
            guard let isOn = words[value] else { return false }
            set(&settings, isOn)
            return true
        }
    }

    /// A field of the head, `Name: value`.
    static let header = ListOption(wanted: "a field such as `Accept: text/csv`") { value, place, settings in
        guard let colon = value.firstIndex(of: ":") else { return false }
        let name = String(value[..<colon]).trimmingBlanks()
        guard HeaderText.isToken(name), !HeaderText.isReserved(name) else { return false }
        let text = String(value[value.index(after: colon)...]).trimmingBlanks()
        switch name.lowercased() {
        case "user-agent": settings.userAgent = text
        default: settings.headers.append(ImportedSettings.Given(value: (name, text), place: place))
        }
        return true
    }

    static func tls(_ key: String) -> ListOption {
        text { $0.tls[key] = ImportedSettings.Given(value: $1, place: $2) }
    }

    /// Those that several programs call alike.
    static let shared: [String: ListOption] = [
        "header": .header,
        "referer": .text { settings, value, place in
            settings.headers.append(ImportedSettings.Given(value: ("Referer", value), place: place))
        },
        "user-agent": .text { settings, value, _ in settings.userAgent = value },
        "interface": .text { settings, value, _ in settings.interface = value },
        "connect-timeout": .seconds { $0.connect = $1 },
    ]

    /// The table of a program.
    ///
    /// - Parameter needless: names of options that ask for nothing.
    static func table(_ parts: [String: ListOption]..., needless: [String]) -> [String: ListOption] {
        var table = shared
        for part in parts { table.merge(part) { _, own in own } }
        for name in needless { table[name] = .needless }
        return table
    }
}
