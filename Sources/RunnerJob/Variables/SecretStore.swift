/// Where `${secret:NAME}` is looked for: the environment first, then what the job's `secrets` names.
final class SecretStore {
    /// A file or a folder, with the place where the job file names it.
    struct Location {
        var path: String
        var name: String
        var place: Place
    }

    /// Bytes that one secret or a file of secrets may have.
    private static let ceiling = 1 << 20

    private let environment: [String: String]
    private let files: JobFiles
    private let sources: SourceRegister
    private let faults: Faults
    /// Lines of `NAME=value`.
    var file: Location?
    /// A file for each secret, named after it.
    var folder: Location?
    /// Words of a command to which the name is added, and which writes the secret.
    var command: (words: [String], place: Place)?
    /// What ``file`` holds, once it was read.
    private var fileValues: [String: String]?

    init(environment: [String: String], files: JobFiles, sources: SourceRegister, faults: Faults) {
        self.environment = environment
        self.files = files
        self.sources = sources
        self.faults = faults
    }

    /// Why a secret has no value.
    enum Fault: Error {
        /// It is nowhere; where it was looked for in words.
        case unset(lookedFor: [String])
        /// Reported already.
        case reported
    }

    func value(of name: String) throws(Fault) -> String {
        var places = ["the environment"]
        if let value = environment[name], !value.isEmpty { return value }
        if let file {
            if let value = try values(of: file)[name], !value.isEmpty { return value }
            places.append(shown(file.name))
        }
        if let folder {
            if let value = try content(of: name, in: folder), !value.isEmpty { return value }
            places.append(shown(folder.name + "/" + name))
        }
        if let command {
            if let value = try output(of: command.words, name, at: command.place), !value.isEmpty { return value }
            places.append("the output of \(shown(command.words.joined(separator: " ")))")
        }
        throw .unset(lookedFor: places)
    }

    // MARK: Places

    private func values(of file: Location) throws(Fault) -> [String: String] {
        if let fileValues { return fileValues }
        // What cannot be read is told once.
        fileValues = [:]
        var content: [UInt8] = []
        do throws(JobFileFault) {
            content = try files.content(of: file.path, atMost: Self.ceiling)
        } catch {
            if error.isMissing { return [:] }
            throw report("\(shown(file.name)) cannot be read: \(error.reason)", at: file.place)
        }
        var values: [String: String] = [:]
        let number = sources.addUnkept(file.name)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if content.starts(with: mark) { content.removeFirst(mark.count) }
        for (index, line) in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            guard let entry = Self.entry(line) else {
                // The line itself may hold a secret, and is not shown.
                throw report(
                    "a file of secrets has lines such as NAME=value, and comments that begin with `#`",
                    at: Place(file: number, line: Int32(clamping: index + 1), column: 1))
            }
            if !entry.name.isEmpty { values[entry.name] = entry.value }
        }
        fileValues = values
        return values
    }

    /// Name and value of a line, empty ones of a line that has none; nil for a line that cannot be read.
    private static func entry(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let text = String(validating: line, as: UTF8.self)?.trimmingBlanks() else { return nil }
        if text.isEmpty || text.utf8.first == UInt8(ascii: "#") { return ("", "") }
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let name = String(text[..<equals]).trimmingBlanks()
        guard Template.isSecretName(name) else { return nil }
        var value = String(text[text.index(after: equals)...]).trimmingBlanks()
        for quote in ["\"", "'"] as [Character] where value.utf8.count > 1 && value.first == quote {
            value = unquoted(value, quote)
            break
        }
        return (name, value)
    }

    /// What stands in quotes, with nothing behind them but a comment; else the text as it is.
    private static func unquoted(_ text: String, _ quote: Character) -> String {
        if text.last == quote { return String(text.dropFirst().dropLast()) }
        let inside = text.dropFirst()
        guard let end = inside.firstIndex(of: quote) else { return text }
        let rest = inside[end...].dropFirst()
        let isParted = rest.first == " " || rest.first == "\t"
        let isComment = isParted && String(rest).trimmingBlanks().hasPrefix("#")
        return isComment ? String(inside[..<end]) : text
    }

    private func content(of name: String, in folder: Location) throws(Fault) -> String? {
        let path = folder.path + "/" + name
        do throws(JobFileFault) {
            return try text(files.content(of: path, atMost: Self.ceiling), from: folder.name + "/" + name, folder.place)
        } catch {
            if error.isMissing { return nil }
            throw report("\(shown(folder.name + "/" + name)) cannot be read: \(error.reason)", at: folder.place)
        }
    }

    private func output(of words: [String], _ name: String, at place: Place) throws(Fault) -> String? {
        do throws(JobFileFault) {
            return try text(files.run(words + [name]), from: "the output of \(words.first ?? "")", place)
        } catch {
            throw report("the secret \(shown(name)) was not got: \(error.reason)", at: place)
        }
    }

    /// The bytes of one secret as text, without the line break that editors and programs put at the end.
    private func text(_ bytes: [UInt8], from origin: String, _ place: Place) throws(JobFileFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JobFileFault(reason: "\(origin) is not in UTF-8")
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { return String(text.dropLast()) }
        return text
    }

    private func report(_ message: String, at place: Place) -> Fault {
        faults.error(message, at: place)
        return .reported
    }
}
