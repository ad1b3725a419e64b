internal import RunnerJob

/// A configuration file of curl: its options are for all URLs up to `next`, and outputs belong to URLs by their order.
struct CurlConfig {
    /// What stands between two `next`.
    private struct Section {
        var urls: [(text: String, place: Place)] = []
        var outputs: [Output] = []
        var folder = ""
        var globs = true
        var namesAll = false
        var settings = ImportedSettings()
        var body: [String] = []
        var isGet = false
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
        for line in text.lines {
            guard let option = CurlLine(line.text) else { continue }
            if option.name == "next" {
                config.finish(&findings)
            } else {
                config.take(option, at: line.place, &findings)
            }
        }
        config.finish(&findings)
        return ImportedList(tasks: config.assembly.tasks, limits: config.limits)
    }

    private mutating func take(_ option: CurlLine, at place: Place, _ findings: inout ImportFindings) {
        if CurlOption.steering.contains(option.name) { return steer(option, at: place, &findings) }
        guard let known = CurlOption.all[option.name] else {
            return findings.leaveOut("the option \(shown(option.name))", ImportWords.noCounterpart, at: place)
        }
        let value = option.value ?? ""
        if !known.take(value, place, &section.settings) {
            findings.error(
                "\(shown(value)) is no value for \(shown(option.name)), which takes \(known.wanted)", at: place)
        }
    }

    private mutating func steer(_ option: CurlLine, at place: Place, _ findings: inout ImportFindings) {
        let value = option.value ?? ""
        switch option.name {
        case "url": section.urls.append((value, place))
        case "output": section.outputs.append(.file(value, place))
        case "remote-name": section.outputs.append(.urlName)
        case "remote-name-all": section.namesAll = true
        case "output-dir": section.folder = value.hasSuffix("/") || value.isEmpty ? value : value + "/"
        case "globoff": section.globs = false
        case "get": section.isGet = true
        case "parallel": break
        case "parallel-max":
            guard let count = ListQuantity.number(value), count > 0 else {
                return findings.error("\(shown(value)) is no number of transfers", at: place)
            }
            limits = [ImportedField("concurrency", .text(String(min(count, 1024))))]
        case "insecure", "proxy-insecure":
            findings.warning(
                "certificates are always verified, so that \(shown(option.name)) was left out; name the server's authority"
                    + " in `tls: {ca: FILE}`", at: place)
        case "data-raw": section.body.append(value)
        // Behind `@` stands the name of a file.
        case _ where ["data", "data-ascii", "json"].contains(option.name) && !value.hasPrefix("@"):
            section.body.append(value)
            if option.name == "json" { addJSONFields(at: place) }
        default:
            findings.error("`\(option.name)` is not taken over; only downloads are", at: place)
        }
    }

    /// What `--json` sends beside the body.
    private mutating func addJSONFields(at place: Place) {
        for name in ["Content-Type", "Accept"] {
            section.settings.headers.append(ImportedSettings.Given(value: (name, "application/json"), place: place))
        }
    }

    /// Makes tasks of a section and begins the next.
    private mutating func finish(_ findings: inout ImportFindings) {
        var section = section
        self.section = Section()
        if !section.body.isEmpty, !section.isGet {
            section.settings.method = section.settings.method ?? "POST"
            section.settings.body = section.body.joined(separator: "&")
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
        // curl takes a text without a scheme for a host.
        let text = match.url.contains("://") || match.url.hasPrefix("/") ? match.url : "http://" + match.url
        guard let url = assembly.url(text, at: place, &findings) else { return }
        var to = section.folder.isEmpty ? nil : section.folder
        if case .file(let name, let namePlace) = output {
            if name == "-" || name == "/dev/null" || name.isEmpty {
                findings.leaveOut(
                    "the output \(shown(name))", "is no file; the URL's own name was taken", at: namePlace)
            } else {
                to = (section.folder) + Self.filled(name, match.values)
            }
        }
        assembly.add([url], to: to, section.settings.fields(for: url, &findings), at: place, &findings)
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
