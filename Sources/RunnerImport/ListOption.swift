internal import RunnerJob

/// What an option of a download program comes to here.
struct ListOption: Sendable {
    /// What a right value is, for the message about a wrong one.
    var wanted: String
    /// Takes a value and its place; false where it is none.
    var take: @Sendable (String, Place, inout ImportedSettings) -> Bool

    /// An option that asks for what is done anyway, or for what concerns only the program that it is of.
    static let needless = ListOption(wanted: "") { _, _, _ in true }

    static func text(_ set: @escaping @Sendable (inout ImportedSettings, String, Place) -> Void) -> ListOption {
        ListOption(wanted: "a text") { value, place, settings in
            guard !value.isEmpty else { return false }
            set(&settings, value, place)
            return true
        }
    }

    /// A whole number; 0 is the program's word for no limit.
    static func number(_ set: @escaping @Sendable (inout ImportedSettings, Int?) -> Void) -> ListOption {
        ListOption(wanted: "a number") { value, _, settings in
            guard let number = ListQuantity.number(value) else { return false }
            set(&settings, number == 0 ? nil : number)
            return true
        }
    }

    static func seconds(_ set: @escaping @Sendable (inout ImportedSettings, Int64?) -> Void) -> ListOption {
        ListOption(wanted: "a number of seconds") { value, _, settings in
            guard let milliseconds = ListQuantity.seconds(value) else { return false }
            set(&settings, milliseconds == 0 ? nil : milliseconds)
            return true
        }
    }

    static func bytes(_ set: @escaping @Sendable (inout ImportedSettings, Int64?) -> Void) -> ListOption {
        ListOption(wanted: "a number of bytes, such as 500K or 2M") { value, _, settings in
            guard let bytes = ListQuantity.bytes(value) else { return false }
            set(&settings, bytes == 0 ? nil : bytes)
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
}
