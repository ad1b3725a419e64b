import RunnerExecution
import RunnerJob
import RunnerReport
import TestSupport
import Testing

@Suite("The report and its schema")
struct ReportSchemaTests {
    private let schema: JSONValue

    init() throws {
        schema = try JSONValue(parsing: Repository.text("docs/report.schema.json").utf8)
    }

    /// A sample as a line, its task from a file of its own.
    private func line(_ number: Int) throws -> JSONValue {
        var sources = SourceMap()
        for name in ["job.yaml", "rows.csv"] { _ = sources.add(SourceMap.File(name: name, bytes: [])) }
        var encoder = ReportEncoder(run: "20261129T031500-ab12", sources: sources)
        var event = Samples.all[number]
        switch event.kind {
        case .taskStarted(var task):
            task.place.file = 1
            event.kind = .taskStarted(task)
        case .taskFinished(var task):
            task.place.file = 1
            event.kind = .taskFinished(task)
        default: break
        }
        return try JSONValue(parsing: encoder.line(event))
    }

    @Test(arguments: Samples.all.indices)
    func everyEventFits(number: Int) throws {
        #expect(SchemaValidator(schema).problems(of: try line(number)).isEmpty)
    }

    /// A field that the schema does not name would be one that nobody documented.
    @Test(arguments: Samples.all.indices)
    func everyFieldIsInTheSchema(number: Int) throws {
        let line = try line(number)
        let alternative = (schema["oneOf"]?.elements ?? []).first {
            $0["properties"]?["event"]?["const"] == line["event"]
        }
        let documented = Set(alternative?["properties"]?.members.keys.map { $0 } ?? [])
            .union(schema["properties"]?.members.keys.map { $0 } ?? [])
        #expect(line.members.keys.filter { !documented.contains($0) } == [])
        for (member, definition) in [("error", "error"), ("http", "http"), ("limits", "limits")] {
            let fields = Set(schema["$defs"]?[definition]?["properties"]?.members.keys.map { $0 } ?? [])
            #expect((line[member]?.members.keys.filter { !fields.contains($0) } ?? []) == [])
        }
    }

    @Test func everyFieldOfTheSchemaIsInASample() throws {
        var seen: Set<String> = []
        for number in Samples.all.indices {
            let line = try line(number)
            for name in line.members.keys { seen.insert("\(line["event"]?.text ?? "").\(name)") }
        }
        for alternative in schema["oneOf"]?.elements ?? [] {
            let event = alternative["properties"]?["event"]?["const"]?.text ?? ""
            for name in alternative["properties"]?.members.keys.map({ $0 }) ?? [] {
                #expect(seen.contains("\(event).\(name)"))
            }
        }
    }

    @Test func everyFieldOfTheSchemaIsInTheDocument() {
        let document = Repository.text("docs/report.md")
        func names(_ schema: JSONValue) -> [String] {
            (schema["properties"]?.members.keys.map { $0 } ?? [])
        }
        let definitions = schema["$defs"]?.members.filter { $0.key != "counts" }.map(\.value) ?? []
        for name in ([schema] + definitions + (schema["oneOf"]?.elements ?? [])).flatMap(names) {
            #expect(document.contains("`\(name)`"), "\(name)")
        }
    }

    @Test func wordsOfTheCodeAndOfTheSchemaAreTheSame() {
        func words(_ path: [String]) -> [String] {
            var value: JSONValue? = schema
            for name in path { value = value?[name] }
            return value?["enum"]?.elements.compactMap(\.text) ?? []
        }
        #expect(words(["$defs", "error", "properties", "class"]) == FaultClass.allCases.map(\.rawValue))
        let outcomes = schema["$defs"]?["counts"]?["properties"]?.members.keys.sorted()
        #expect(outcomes == TaskFinished.Outcome.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: [
        (#"{"schema":"runner.report/2"}"#, "/schema: is not"), ("[]", ": is no object"),
        (#"{"event":"task.progress"}"#, "'bytes' is missing"),
        (#"{"event":"task.progress","task":"a","bytes":-1}"#, "/bytes: below"),
        (#"{"event":"task.progress","task":"a","bytes":1.5}"#, "/bytes: is no integer"),
        (#"{"time":"yesterday"}"#, "/time: 'yesterday' does not match"),
    ])
    func theValidatorFindsFaults(json: String, problem: String) throws {
        let problems = SchemaValidator(schema).problems(of: try JSONValue(parsing: json.utf8))
        #expect(problems.contains { $0.contains(problem) })
    }
}
