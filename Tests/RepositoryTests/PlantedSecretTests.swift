import RunnerJob
import TestSupport
import Testing

/// Secrets of every kind are planted, and looked for in every byte that the program leaves or says.
@Suite("Planted secrets")
struct PlantedSecretTests {
    private static let secrets = [
        "info": "info-Sec/ret+1", "token": "tokenSecret22", "header": "headerSecret33", "bearer": "bearerSecret44",
        "cookie": "cookieSecret55", "netrc": "netrcSecret66", "body": "bodySecret77", "basic": "basicSecret88",
        "redirect": "redirectSecret99", "file": "fileSecret00", "run": "runSecret12",
    ]

    /// A secret as it stands, percent-encoded, and as part of what Basic sends.
    private static func forms(_ secret: String) -> [String] {
        let encoded = secret.utf8.map { byte -> String in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x2D
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return [secret, encoded.joined(), Base64.text(Array("me:\(secret)".utf8))]
    }

    private let server: FaultServer
    private let folder: TemporaryDirectory

    init() throws {
        server = try FaultServer()
        folder = try TemporaryDirectory()
        // A page that says again all that it was told.
        let echo = Self.secrets.values.sorted().flatMap(Self.forms).joined(separator: " ")
        server.on("/moved", from: 1, through: .max, [.redirect(to: server.url("/gone?signature=redirectSecret99"))])
        server.on("/gone", from: 1, through: .max, [.status(404), .content(.text(echo))])
        server.on("/good", from: 1, through: .max, [.content(.text("good")), .header("ETag", "\"v1\"")])
        server.on("/tag", from: 1, through: .max, [.content(.text("x")), .header("ETag", "\"headerSecret33\"")])
        server.on("/", from: 1, through: .max, [.status(403), .content(.text("<title>\(echo)</title>"))])
        try folder.write("netrc", "machine 127.0.0.1 login me password netrcSecret66\n")
        try folder.write("secrets.env", "FILE=fileSecret00\n")
        try folder.write("job.yaml", job)
    }

    private var job: String {
        let origin = server.origin
        let user = origin.replacing("http://", with: "http://me:info-Sec%2Fret%2B1@")
        return """
            version: 1
            directory: out
            secrets: {file: secrets.env}
            defaults: {retry: {attempts: 2, first: 1ms}}
            tasks:
              - {id: info, download: "\(user)/info"}
              - {id: token, download: "\(origin)/token?access_token=tokenSecret22"}
              - {id: header, download: "\(origin)/header", headers: {X-Key: "${secret:HEADER}"}}
              - {id: bearer, download: "\(origin)/bearer", auth: {bearer: bearerSecret44}}
              - {id: cookie, download: "\(origin)/cookie", headers: {Cookie: session=cookieSecret55}}
              - {id: netrc, download: "\(origin)/netrc", auth: {netrc: netrc}}
              - {id: body, download: "\(origin)/body", method: POST, body: "key=${secret:BODY}"}
              - {id: basic, download: "\(origin)/basic", auth: {basic: {user: me, password: basicSecret88}}}
              - {id: redirect, download: "\(origin)/moved"}
              - {id: file, download: "\(origin)/${secret:FILE}", to: file}
              - {id: run, run: [sh, -c, "echo $KEY >&2; echo $KEY; exit 3"], env: {KEY: "${secret:RUN}"}}
              - {id: good, download: "\(user)/good?access_token=tokenSecret22", headers: {X-Key: "${secret:HEADER}"}}

            """
    }

    private func run(_ words: String...) async throws -> String { try await run(words) }

    private func run(_ words: [String]) async throws -> String {
        let outcome = try await RunnerBinary.run(
            words, environment: ["HEADER": "headerSecret33", "BODY": "bodySecret77", "RUN": "runSecret12"],
            in: folder.path)
        return outcome.output + outcome.errorOutput
    }

    /// Everything on the disk but what the secrets were planted in.
    private var left: [(name: String, text: String)] {
        folder.files().filter { !["job.yaml", "netrc", "secrets.env"].contains($0) }
            .map { ($0, DiskFile.text(folder.path($0)) ?? "") }
    }

    /// A name is shown in many places, and a server may say a secret again in any header field.
    @Test func areInNoNameThatIsShown() async throws {
        let secret = "headerSecret33", origin = server.origin
        try folder.write(
            "job.yaml",
            """
            version: 1
            directory: out
            tasks:
              - {download: "\(origin)/named", to: "x-${secret:HEADER}.txt"}
              - {check: "${secret:HEADER}.nope", optional: true}
              - {download: "\(origin)/q", to: d, optional: true, digest: {file: "\(origin)/list/${secret:HEADER}"}}
              - {download: "\(origin)/tag", to: e}
              - {run: [sh, -c, "exit 1"], id: "r-${secret:HEADER}", optional: true}
              - {id: last, needs: ["r-${secret:HEADER}"], run: ["true"], optional: true}

            """)
        var said = try await run("run", "job.yaml", "-v", "--report", "-")
        said += try await run("run", "job.yaml", "-q")
        for words in [["plan"], ["plan", "--format", "json"], ["plan", "--format", "dot"], ["verify"], ["status"]] {
            said += try await run([words[0], "job.yaml"] + words.dropFirst())
        }
        said += try await run("verify", "job.yaml", "--format", "json")
        said += try await run("plan", "job.yaml", "--explain", "e")
        #expect(said.contains("x-***.txt") && said.contains("r-***"), "\(said)")
        for line in said.split(separator: "\n") where line.contains(secret) { Issue.record("\(line)") }
        #expect(!folder.files().contains { $0.contains(".runner/") && $0.contains(secret) }, "\(folder.files())")
        let state = left.filter { $0.name.contains("out/.runner/reports") }
        #expect(state.contains { $0.text.contains("\\\"***\\\"") }, "the reply with the tag is in the report")
    }

    @Test func areNowhere() async throws {
        var said: [(name: String, text: String)] = []
        said.append(("check", try await run("check", "job.yaml")))
        for format in ["text", "json", "dot", "mermaid"] {
            said.append(("plan \(format)", try await run("plan", "job.yaml", "--format", format)))
        }
        for id in Self.secrets.keys.sorted() + ["good"] {
            said.append(("explain \(id)", try await run("plan", "job.yaml", "--explain", id)))
        }
        said.append(("run", try await run("run", "job.yaml", "--verbose", "--report", "report.jsonl")))
        said.append(("run json", try await run("run", "job.yaml", "--report", "-", "--keep-bad", "bad")))
        said.append(("lock", try await run("lock", "job.yaml", "--update", "good")))
        said.append(("verify", try await run("verify", "job.yaml", "--format", "json")))
        said.append(("history", try await run("history", "job.yaml")))
        #expect(said.contains { $0.name == "run" && $0.text.contains("done     good") })
        for (name, text) in said + left {
            for secret in Self.secrets.values.flatMap(Self.forms) {
                #expect(!text.contains(secret), "\(secret) in \(name): \(text.prefix(2000))")
            }
        }
    }

    @Test func areNotShownBesideAFault() async throws {
        try folder.write(
            "job.yaml",
            job + "  - {download: \"http://me:info-Sec%2Fret%2B1@h/x\", sizee: 1, auth: {bearer: bearerSecret44}}\n")
        let text = try await run("check", "job.yaml")
        #expect(text.contains("unknown key `sizee`"))
        for secret in ["info-Sec", "bearerSecret44"] { #expect(!text.contains(secret), "\(text)") }
    }
}
