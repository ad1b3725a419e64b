/// A text with its variables put in.
struct TextValue: Sendable {
    var text: String
    /// Whether a part of it came from `${secret:…}`.
    var hasSecret = false
}

/// The variables of a job, and everything else that `${…}` can stand for.
///
/// Each is worked out once, when it is first needed.
final class Variables {
    /// Bytes that a value may have once everything is put in.
    private static let sizeCeiling = 1 << 20
    /// Variables that may lie between a text and what it stands for in the end.
    private static let depthCeiling = 100

    private enum State {
        case written(Node)
        /// Being worked out.
        case open
        case known(TextValue)
        /// Reported already.
        case failed
    }

    /// Where a reference stands; its place is looked up only for a message.
    private enum Site {
        case place(Place)
        case offset(Int, in: String, of: Node)
    }

    private let input: JobInput
    private let sources: SourceRegister
    private let faults: Faults
    private var states: [String: State] = [:]
    /// What is being worked out, outermost first, and where each was asked for.
    private var stack: [(name: String, site: Site)] = []
    private var used: Set<String> = []
    /// What has to be worked out, in the order of the files, and where it is written.
    private var declared: [(name: String, place: Place)] = []
    private var parameters: [String: Parameter] = [:]
    /// The same with those of further files that declare a parameter again.
    private var declarations: [Parameter] = []
    /// Names in files of `--vars`, in their order.
    private var given: [(name: String, place: Place)] = []
    /// Where `${secret:…}` is looked for.
    let store: SecretStore
    /// What the matrices around the text that is being read stand for, outermost first.
    private var bindings: [Binding] = []
    /// Texts of items that a matrix makes many tasks of are read again and again.
    private var templates: [String: Template] = [:]
    /// What names stand for that nothing else declares.
    private var fallback: ((String) -> String?)?
    /// The values of `${secret:…}` that were read.
    private(set) var secrets: Set<String> = []
    /// What was looked at of the outside world.
    private(set) var reliance = Reliance()

    init(input: JobInput, sources: SourceRegister, faults: Faults) {
        self.input = input
        self.sources = sources
        self.faults = faults
        store = SecretStore(environment: input.environment, files: input.files, sources: sources, faults: faults)
        for (name, value) in input.overrides { states[name] = .known(TextValue(text: value)) }
    }

    /// Makes a variable known, unless it has a value from elsewhere that comes before this one.
    func declare(_ name: String, as node: Node) {
        used.insert(name)
        write(name, node)
    }

    private func write(_ name: String, _ node: Node) {
        guard states[name] == nil else { return }
        states[name] = .written(node)
        if name != Self.nameOfJob { declared.append((name, node.place)) }
    }

    /// Makes a parameter known; of two with one name the first has the default, and what either asks for holds.
    func declare(_ parameter: Parameter) {
        used.insert(parameter.name)
        declarations.append(parameter)
        if parameters[parameter.name] == nil { parameters[parameter.name] = parameter }
        if let fallback = parameter.fallback { declare(parameter.name, as: fallback) }
    }

    /// Gives a variable the value of a file that the command line names.
    func give(_ entry: Node.Entry) {
        given.append((entry.key, entry.keyPlace))
        write(entry.key, entry.value)
    }

    /// Works out every variable, and reports what is wrong with values and parameters.
    func settle() {
        for parameter in declarations where parameter.isRequired && states[parameter.name] == nil {
            faults.error(parameter.missing("is required"), at: parameter.place)
            states[parameter.name] = .failed
        }
        // To be worked out is not to be used.
        for (name, place) in declared { _ = resolve(name, at: .place(place), isUse: false) }
        for parameter in declarations {
            if case .known(let value) = states[parameter.name] { check(value, of: parameter) }
        }
    }

    private func check(_ value: TextValue, of parameter: Parameter) {
        guard let values = parameter.values, !values.contains(where: { ExactText($0) == ExactText(value.text) }) else {
            return
        }
        let written = value.hasSecret ? "what it was given" : shown(value.text)
        let known = values.map { "`\($0)`" }.joined(separator: ", ")
        faults.error(
            "the parameter \(shown(parameter.name)) cannot be \(written); it takes \(known)"
                + didYouMean(value.hasSecret ? "" : value.text, among: values), at: parameter.place)
    }

    /// Makes the job's name known when the file has none.
    func declareName(_ name: String) {
        states[Self.nameOfJob] = .known(TextValue(text: name))
    }

    /// What is said of a text that cannot be the name of a variable.
    static func wrongName(_ name: String) -> String {
        "\(shown(name)) is no name of a variable; it takes letters, digits, `_` and `-`, and begins with a letter"
    }

    /// How the job's name is referred to.
    static let nameOfJob = "job.name"

    /// The value of a declared variable.
    func value(of name: String, at place: Place) -> TextValue? {
        resolve(name, at: .place(place))
    }

    /// Reports values from outside for variables that the job neither declares nor uses.
    ///
    /// A file of variables may serve several jobs, so that what it has too many is worth a warning only.
    func reportUnusedOverrides() {
        let declared = used.filter { $0 != Self.nameOfJob }.sorted()
        for name in input.overrides.keys.sorted() where !used.contains(name) {
            faults.error(
                "--set \(name): the job has no variable \(shown(name))" + didYouMean(name, among: declared), at: nil)
        }
        for (name, place) in given where !used.contains(name) && !name.hasPrefix("x-") {
            faults.warn("the job has no variable \(shown(name))" + didYouMean(name, among: declared), at: place)
        }
    }

    // MARK: Putting in

    /// Puts in the variables of a text that stands at a node.
    ///
    /// - Returns: nil after a fault was reported.
    func expand(_ text: String, of node: Node) -> TextValue? {
        guard text.holds(UInt8(ascii: "$")) else { return TextValue(text: text) }
        do throws(Template.Fault) {
            return expand(try template(text), of: node, written: text)
        } catch {
            faults.error(error.message, at: place(.offset(error.offset, in: text, of: node)))
            return nil
        }
    }

    private func template(_ text: String) throws(Template.Fault) -> Template {
        if bindings.isEmpty { return try Template.parse(text) }
        if let known = templates[text] { return known }
        let template = try Template.parse(text)
        templates[text] = template
        return template
    }

    private func expand(_ template: Template, of node: Node, written: String) -> TextValue? {
        var result = TextValue(text: "")
        var isWhole = true
        for piece in template.pieces {
            switch piece {
            case .text(let text): result.text += text
            case .reference(let reference, let offset):
                let site = Site.offset(offset, in: written, of: node)
                guard let value = value(of: reference, at: site, in: node, written: written) else {
                    isWhole = false
                    continue
                }
                result.text += value.text
                result.hasSecret = result.hasSecret || value.hasSecret
            }
            if result.text.utf8.count > Self.sizeCeiling {
                faults.error(
                    "the text is longer than \(Self.sizeCeiling >> 20) MiB with its variables put in", at: node.place)
                return nil
            }
        }
        return isWhole ? result : nil
    }

    private func value(
        of reference: Template.Reference, at site: Site, in node: Node, written: String
    ) -> TextValue? {
        switch reference {
        case .variable(let name): return resolve(name, at: site)
        case .secret(let name): return secret(name, at: site)
        case .date(let shift, let format):
            reliance.isFleeting = true
            do throws(DateFormat.Fault) {
                return TextValue(text: try DateFormat.text(input.clock.time(shiftedBy: shift), format))
            } catch {
                faults.error(error.description, at: place(site))
                return nil
            }
        case .environment(let name, let fallback):
            reliance.variables.insert(name)
            let value = input.environment[name] ?? ""
            if isRepaired(value, "the environment variable \(shown(name))", at: site) { return nil }
            if !value.isEmpty { return TextValue(text: value) }
            if let fallback { return expand(fallback, of: node, written: written) }
            let isSet = input.environment[name] != nil
            faults.error(
                "the environment variable \(shown(name)) is \(isSet ? "empty" : "not set"); set it, or write"
                    + " ${env:\(name):-default}", at: place(site))
            return nil
        }
    }

    private func secret(_ name: String, at site: Site) -> TextValue? {
        reliance.isFleeting = true
        do throws(SecretStore.Fault) {
            let value = try store.value(of: name)
            secrets.insert(value)
            if isRepaired(value, "the secret \(shown(name))", at: site) { return nil }
            return TextValue(text: value, hasSecret: true)
        } catch {
            guard case .unset(let places) = error else { return nil }
            faults.error(
                places.count == 1
                    ? "the secret \(shown(name)) is not set; set the environment variable of that name"
                    : "the secret \(shown(name)) is not set; it was looked for in " + places.joined(separator: ", "),
                at: place(site))
            return nil
        }
    }

    /// Whether a text was no UTF-8, so that it is another one by now; reports that.
    private func isRepaired(_ text: String, _ what: String, at site: Site) -> Bool {
        guard text.unicodeScalars.contains("\u{FFFD}") else { return false }
        faults.error("\(what) is not UTF-8, as all texts of a job are; write it in UTF-8", at: place(site))
        return true
    }

    // MARK: Variables of a matrix

    /// Has texts read with the variables of a matrix, which hide others of the same name.
    func bind(_ binding: Binding, _ body: () -> Void) {
        bindings.append(binding)
        let outer = faults.combination
        faults.combination = { binding }
        body()
        faults.combination = outer
        bindings.removeLast()
        if bindings.isEmpty { templates = [:] }
    }

    /// Has texts read with further names, which hide no other and are looked up only where no other is there.
    func falling<Value>(back names: @escaping (String) -> String?, _ body: () -> Value) -> Value {
        fallback = names
        defer { fallback = nil }
        return body()
    }

    /// The line of a matrix file that the task which is being read comes from.
    var row: Place? { bindings.last { $0.place != nil }?.place }

    // MARK: Variables of the job

    private func resolve(_ name: String, at site: Site, isUse: Bool = true) -> TextValue? {
        for binding in bindings.reversed() {
            guard let index = binding.names[name] else { continue }
            if let value = binding.values[index] { return value }
            faults.error("\(shown(name)) has no text in this row", at: place(site))
            return nil
        }
        if isUse { used.insert(name) }
        switch states[name] {
        case .known(let value): return value
        case .failed: return nil
        case .open: return reportCycle(name, at: site)
        case nil:
            if let value = fallback?(name) { return TextValue(text: value) }
            reportUnset(name, at: place(site))
            return nil
        case .written(let node):
            guard stack.count < Self.depthCeiling else {
                faults.error("variables refer to each other over more than \(Self.depthCeiling) steps", at: place(site))
                return nil
            }
            states[name] = .open
            stack.append((name, site))
            // A variable of the job does not see those of a matrix that happens to use it.
            let outer = bindings
            bindings = []
            let value = value(writtenAt: node, name)
            bindings = outer
            stack.removeLast()
            // A cycle that goes through this variable has marked it already.
            if case .open = states[name] { states[name] = value.map { .known($0) } ?? .failed }
            return value
        }
    }

    private func value(writtenAt node: Node, _ name: String) -> TextValue? {
        guard case .scalar(let scalar) = node.content, !node.isEmpty else {
            faults.error(
                "the variable \(shown(name)) wants a text" + (node.isEmpty ? "; write \"\" for an empty one" : ""),
                at: node.place)
            return nil
        }
        return expand(scalar.text, of: node)
    }

    private func reportCycle(_ name: String, at site: Site) -> TextValue? {
        let start = stack.firstIndex { $0.name == name } ?? 0
        let chain = stack[start...]
        let names = chain.map(\.name) + [name]
        let notes = chain.dropFirst().map { step in
            Diagnostic.Note("\(shown(step.name)) is used here", at: place(step.site))
        }
        faults.error(
            "variables refer to each other in a cycle: " + names.joined(separator: " → "), at: place(site), notes: notes
        )
        for step in chain { states[step.name] = .failed }
        return nil
    }

    private func reportUnset(_ name: String, at place: Place) {
        if name == Self.nameOfJob {
            faults.error("the job has no name that ${job.name} could stand for", at: place)
            return
        }
        if let parameter = parameters[name] {
            faults.error(parameter.missing("has no value"), at: place)
            return
        }
        let known = bindings.flatMap(\.order) + states.keys.filter { $0 != Self.nameOfJob }.sorted()
        var hint = didYouMean(name, among: known)
        if hint.isEmpty {
            hint =
                input.environment[name] != nil
                ? "; the environment is read by ${env:\(name)}" : "; add it to `vars`, or give it with --set \(name)=…"
        }
        faults.error("the variable \(shown(name)) is not set" + hint, at: place)
    }

    /// Where a reference stands in the file; its scalar where the file spells the text otherwise.
    private func place(_ site: Site) -> Place {
        switch site {
        case .place(let place): return place
        case .offset(let offset, let text, let node):
            guard let line = sources.line(of: node.place) else { return node.place }
            var source = line.unicodeScalars.dropFirst(Int(node.place.column) - 1)
            var place = node.place
            if source.first == "\"" || source.first == "'" {
                source = source.dropFirst()
                place.column += 1
            }
            let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self).unicodeScalars
            guard source.starts(with: before) else { return node.place }
            place.column += Int32(clamping: before.count)
            return place
        }
    }
}
