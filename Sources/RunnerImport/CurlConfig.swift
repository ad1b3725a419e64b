internal import RunnerJob

/// A configuration file of curl: its options are for all URLs up to `next`, and outputs belong to URLs by their order.
struct CurlConfig {
    /// What stands between two `next`.
    private struct Section {
        var urls: [(text: String, place: Place)] = []
        var outputs: [Output] = []
        var folder = ""
        var globs = true
        var settings = ImportedSettings()
        /// Pieces of it, and what stands before each but the first.
        var body: [(text: String, separator: String)] = []
        var bodyPlace = Place(line: 1, column: 1)
        var isJSON = false
        var isGet = false

        var bodyText: String {
            body.enumerated().reduce("") { $0 + ($1.offset == 0 ? "" : $1.element.separator) + $1.element.text }
        }
    }

    private enum Output {
        case urlName
        case file(String, Place)
    }

    private var assembly: TaskAssembly
    private var section = Section()
    private var limits: [ImportedField] = []

    static func read(_ text: ListText, base: SourceURL?, _ findings: inout ImportFindings) -> ImportedList {
        var config = Self(assembly: TaskAssembly(base: base, renames: true))
        for (line, option) in text.lines.lazy.flatMap({ line in CurlLine.options(of: line.text).map { (line, $0) } }) {
            tellOfRest(option, at: line.place, &findings)
            if option.name == "next" {
                config.finish(&findings)
            } else {
                config.take(option, at: line.place, &findings)
            }
        }
        config.finish(&findings)
        return ImportedList(tasks: config.assembly.tasks, limits: config.limits)
    }

    /// Tells of what curl would not take either.
    private static func tellOfRest(_ option: CurlLine, at place: Place, _ findings: inout ImportFindings) {
        let isFlag = CurlOption.isFlag(option.name)
        guard !option.rest.isEmpty || isFlag && option.value != nil else { return }
        if ImportWords.speakOfSecrets(option.name) { findings.hide(option.rest) }
        findings.warning(
            isFlag
                ? "\(shown(option.name)) takes no value, so that what stands behind it was left out; write it on a line"
                    + " of its own"
                : "what stands behind the value was left out; a value with blanks in it stands in double quotes",
            at: place)
    }

    private mutating func take(_ option: CurlLine, at place: Place, _ findings: inout ImportFindings) {
        if CurlOption.steering.contains(option.name) { return steer(option, at: place, &findings) }
        guard let known = CurlOption.all[option.name] else {
            return findings.leaveOut(option: option.name, option.value ?? "", at: place)
        }
        let value = option.value ?? ""
        if !known.take(value, place, &section.settings) {
            findings.refuse(value, of: option.name, wanted: known.wanted, at: place)
        }
    }

    private mutating func steer(_ option: CurlLine, at place: Place, _ findings: inout ImportFindings) {
        let value = option.value ?? ""
        switch option.name {
        case "url": section.urls.append((value, place))
        case "output": section.outputs.append(.file(value, place))
        case "remote-name": section.outputs.append(.urlName)
        case "output-dir": section.folder = value.hasSuffix("/") || value.isEmpty ? value : value + "/"
        case "globoff": section.globs = false
        case "get": section.isGet = true
        // A URL without an output has its own name here anyway.
        case "remote-name-all", "parallel": break
        case "parallel-max":
            guard let count = ListQuantity.number(value), count > 0 else {
                return findings.error("\(shown(value)) is no number of transfers", at: place)
            }
            limits = [ImportedField("concurrency", .text(String(min(count, 1024))))]
        case "insecure", "proxy-insecure":
            findings.warning(
                "certificates are always verified, so that \(shown(option.name)) was left out; name the server's authority"
                    + " in `tls: {ca: FILE}`", at: place)
        case "data-raw": addBody(value, "&", at: place)
        // Behind `@` stands the name of a file.
        case _ where ["data", "data-ascii", "json"].contains(option.name) && !value.hasPrefix("@"):
            if option.name == "json" { section.isJSON = true }
            addBody(value, option.name == "json" ? "" : "&", at: place)
        default:
            if ImportWords.speakOfSecrets(option.name) { findings.hide(value) }
            findings.error("`\(option.name)` is not taken over; only downloads are", at: place)
        }
    }

    private mutating func addBody(_ text: String, _ separator: String, at place: Place) {
        if section.body.isEmpty { section.bodyPlace = place }
        section.body.append((text, separator))
    }

    /// What curl sends of a body, and the fields that it sends with it.
    private static func sendBody(of section: inout Section) {
        let place = section.bodyPlace
        section.settings.method = section.settings.method ?? "POST"
        section.settings.body = ImportedSettings.Given(value: section.bodyText, place: place)
        let type = section.isJSON ? "application/json" : "application/x-www-form-urlencoded"
        for (name, value) in [("Content-Type", type), ("Accept", "application/json")]
        where !section.settings.hasHeader(name) && (section.isJSON || name == "Content-Type") {
            section.settings.headers.append(ImportedSettings.Given(value: (name, value), place: place))
        }
    }

    /// Makes tasks of a section and begins the next.
    private mutating func finish(_ findings: inout ImportFindings) {
        var section = section
        self.section = Section()
        if !section.body.isEmpty, !section.isGet {
            if section.settings.method == "GET" {
                findings.error("a body is not sent with GET; `get` makes a query of it", at: section.bodyPlace)
            }
            Self.sendBody(of: &section)
        }
        // Of those that curl sends by itself, these are sent here too.
        for given in section.settings.removedHeaders
        where ["accept", "host", "user-agent"].contains(given.value.lowercased()) {
            findings.leaveOut("to send no \(shown(given.value))", ImportWords.noCounterpart, at: given.place)
        }
        for (index, written) in section.urls.enumerated() {
            let output = section.outputs.indices.contains(index) ? section.outputs[index] : .urlName
            do throws(CurlGlob.Fault) {
                let matches =
                    section.globs
                    ? try CurlGlob.expand(written.text) : [CurlGlob.Match(url: written.text, values: [])]
                for match in matches { add(match, output, section, at: written.place, &findings) }
            } catch {
                findings.error(error.message, at: written.place)
            }
        }
    }

    private mutating func add(
        _ match: CurlGlob.Match, _ output: Output, _ section: Section, at place: Place,
        _ findings: inout ImportFindings
    ) {
        let text = Self.asked(match.url, section)
        guard let url = assembly.url(text, at: place, &findings) else { return }
        var to = section.folder.isEmpty ? nil : section.folder
        if case .file(let name, let namePlace) = output {
            if name == "-" || name.hasPrefix("/dev/") || name.isEmpty {
                findings.leaveOut(
                    "the output \(shown(name))", "is no file; the URL's own name was taken", at: namePlace)
            } else {
                to = (section.folder) + Self.filled(name, match.values)
            }
        }
        assembly.add([url], to: to, section.settings.fields(for: url, &findings), at: place, &findings)
    }

    /// A text without a scheme is a host to curl, whose name tells the scheme; what `get` makes of data is its query.
    private static func asked(_ url: String, _ section: Section) -> String {
        let scheme = url.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
        var text = url
        if !url.dropFirst(scheme.count).hasPrefix("://"), !url.hasPrefix("/") {
            text = (url.lowercased().hasPrefix("ftp.") ? "ftp://" : "http://") + url
        }
        guard section.isGet, !section.body.isEmpty else { return text }
        let address = text.prefix { $0 != "#" }
        return address + (address.contains("?") ? "&" : "?") + section.bodyText
    }

    /// An output with the values of the URL's patterns in place of `#1` and so on.
    private static func filled(_ output: String, _ values: [String]) -> String {
        var result = ""
        var rest = output[...]
        while let hash = rest.firstIndex(of: "#") {
            result += rest[..<hash]
            let digits = rest[rest.index(after: hash)...].prefix { $0.isASCII && $0.isNumber }
            if let number = Int(digits), values.indices.contains(number - 1) {
                result += values[number - 1]
            } else {
                result += "#" + digits
            }
            rest = rest[digits.endIndex...]
        }
        return result + rest
    }
}
