import RunnerJob
import Testing

@Suite struct SecretStoreTests {
    private let sections = "secrets: {file: s.env, folder: run/secrets/, command: [./keys, show]}"

    private func job(_ name: String, _ files: [String: String], environment: [String: String] = [:]) -> JobInput {
        JobText.input(
            "version: 1\n\(sections)\ntasks:\n- {download: http://h/a, headers: {X: \"${secret:\(name)}\"}}\n",
            environment: environment, files: files)
    }

    private func value(_ name: String, _ files: [String: String], environment: [String: String] = [:]) throws -> String?
    {
        let job = try JobParser.parse(job(name, files, environment: environment))
        let value = job.tasks.first?.download.request.headers.first?.value
        #expect(value.map { job.secrets.contains($0) } == true)
        return value
    }

    @Test func looksInEnvironmentFileFolderAndCommand() throws {
        var files = [
            "/jobs/s.env": "# keys\n\n A = from file \r\nB=\"x # y\"\nC='q'\nD=a=b\nE=\n",
            "/jobs/run/secrets/F": "from folder\n", "/jobs/run/secrets/g-h": "no break", "/jobs/keys show I": "said\n",
        ]
        #expect(try value("A", files, environment: ["A": "env"]) == "env")
        #expect(try value("A", files, environment: ["A": ""]) == "from file")
        #expect(try value("B", files) == "x # y")
        #expect(try value("C", files) == "q")
        #expect(try value("D", files) == "a=b")
        #expect(try value("F", files) == "from folder")
        #expect(try value("g-h", files) == "no break")
        #expect(try value("I", files) == "said")
        files["/jobs/run/secrets/E"] = "not empty"
        #expect(try value("E", files) == "not empty")
        // Neither file nor folder need be there.
        #expect(try value("I", ["/jobs/keys show I": "said"]) == "said")
    }

    @Test(arguments: [
        ("\u{FEFF}A=x", "x"), ("A=\"x # y\"  # z", "x # y"), ("A='x'\t# z", "x"), ("A=\"x\"y\"", "x\"y"),
        ("A=\"x\" y", "\"x\" y"), ("A=\"x\"#y", "\"x\"#y"), ("A=x # y", "x # y"), ("A=\"", "\""),
    ])
    func readsWhatStandsInQuotes(line: String, value wanted: String) throws {
        #expect(try value("A", ["/jobs/s.env": line + "\n"]) == wanted)
    }

    @Test func saysWhereItLooked() {
        #expect(
            JobText.report(job("N", ["/jobs/keys show N": "\n"])).contains(
                "the secret `N` is not set; it was looked for in the environment, `s.env`, `run/secrets/N`, the output of `/jobs/keys show`"
            ))
        #expect(
            JobText.report(job("N", [:])).hasPrefix(
                "job.yaml:2:55: error: the secret `N` was not got: the command ended with status 1"))
        #expect(
            JobText.faults("version: 1\ntasks:\n- {download: http://h/a, id: '${secret:N}'}\n") == [
                "3:31: the secret `N` is not set; set the environment variable of that name"
            ])
    }

    @Test func showsNothingOfABrokenFile() {
        let report = JobText.report(job("A", ["/jobs/s.env": "A=x\nhunter2hunter2\n"]))
        #expect(report.hasPrefix("s.env:2:1: error: a file of secrets has lines such as NAME=value"))
        #expect(!report.contains("hunter2"))
    }

    @Test(arguments: [
        ("secrets: x", "2:10: `secrets` wants a mapping"), ("secrets: {fil: x}", "2:11: unknown key `fil`"),
        ("secrets: {command: pass show}", "2:20: `command` wants a list of words"),
        ("secrets: {file: ~/x}", "2:17: `~` does not stand for the home folder"),
        ("secrets: {file: \"${secret:A}\"}", "2:18: the secret `A` is not set"),
    ])
    func refuses(top: String, message: String) {
        let faults = JobText.faults("version: 1\n\(top)\ntasks: []\n")
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix(message) == true, "\(faults)")
    }

    @Test func takesOnlyPlainNames() {
        #expect(
            JobText.faults("version: 1\ntasks:\n- {download: http://h/a, id: '${secret:../x}'}\n") == [
                "3:31: `../x` is no name of a secret; it takes letters, digits, `_` and `-`"
            ])
    }
}
