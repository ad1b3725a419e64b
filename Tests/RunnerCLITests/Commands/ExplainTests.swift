import RunnerCLI
import TestSupport
import Testing

/// `runner plan --explain`.
@Suite struct ExplainTests {
    private static let job = """
        version: 1
        include: more.yaml
        vars: {host: "h.example"}
        defaults:
          retry: {attempts: 7, first: 2s}
          headers: {Accept: text/plain}
        hosts:
          "*.example": {user_agent: agent/1, headers: {accept: application/pdf}}
        tasks:
          - timeout: {stall: 9s}
            tasks:
              - id: a
                download: https://me:hunter22@${host}/a?token=T0KEN99
                to: files/a
                retry: {first: 3s}
                auth: {bearer: "b3arer99"}
                size: 12

        """

    private func made() throws -> TestContext {
        let test = try TestContext()
        try test.folder.write("job.yaml", Self.job)
        try test.folder.write("more.yaml", "version: 1\ntasks:\n  - http://h.example/b\n")
        return test
    }

    private func line(_ key: String, in text: String) -> [String] {
        let line = text.split(separator: "\n").first { $0.hasPrefix("  \(key) ") } ?? ""
        return line.split(separator: "  ").map { String($0).trimmingPrefix(while: { $0 == " " }).description }
    }

    @Test(arguments: [
        ("retry.attempts", ["7", "job.yaml:5, defaults"]), ("retry.first", ["3s", "job.yaml:15"]),
        ("retry.max", ["1m", "standard"]), ("timeout.stall", ["9s", "job.yaml:10"]), ("size", ["12", "job.yaml:17"]),
        ("user_agent", ["agent/1", "job.yaml:8, hosts *.example"]),
        ("headers.accept", ["application/pdf", "job.yaml:8, hosts *.example"]),
        ("backup", ["include", "standard"]), ("auth", ["bearer", "job.yaml:16"]), ("to", ["files/a", "job.yaml:14"]),
        ("id", ["a", "job.yaml:12"]),
    ])
    func namesValueAndLine(key: String, expected: [String]) async throws {
        let test = try made()
        #expect(await test.run("plan", "job.yaml", "--explain", "a") == 0)
        #expect(Array(line(key, in: test.output.text).dropFirst()) == expected)
    }

    private static let kinds = """
        version: 1
        defaults: {retry: {attempts: 7}, tls: {ca: c.pem}}
        hosts: {h.example: {headers: {X-A: one}}}
        tasks:
          - {id: e, extract: in.zip, to: tree/, strip: 1, include: ["*.c"], password: hunter22, limits: {ratio: 9}}
          - {id: z, archive: [tree/, x], to: o.tar.xz, prefix: p, exclude: [y], level: 3, threads: 2, mtime: file}
          - {id: r, run: [sh, -c, "echo a b"], env: {V: w}, cwd: tree, inputs: [tree/], outputs: [f, d/],
             timeout: {attempt: 5s}}
          - {id: u, upload: f, to: "https://h.example/up", method: POST, form: {field: it, fields: {k: v}},
             save_response: reply, expect: {status: [201]}}
          - {id: c, check: o.tar.xz, size: 4KiB, md5: d41d8cd98f00b204e9800998ecf8427e, expect: {type: xz}}

        """

    @Test(
        arguments: [
            ("e", "extract", ["in.zip", "job.yaml:5"]), ("e", "to", ["tree/", "job.yaml:5"]),
            ("e", "strip", ["1", "job.yaml:5"]), ("e", "include", ["*.c", "job.yaml:5"]),
            ("e", "password", ["***", "job.yaml:5"]), ("e", "limits.ratio", ["9", "job.yaml:5"]),
            ("e", "limits.entries", ["1000000", "standard"]), ("e", "retry.attempts", ["7", "job.yaml:2, defaults"]),
            ("e", "timeout.connect", []), ("z", "archive", ["tree/, x", "job.yaml:6"]),
            ("z", "prefix", ["p", "job.yaml:6"]), ("z", "exclude", ["y", "job.yaml:6"]),
            ("z", "level", ["3", "job.yaml:6"]), ("z", "threads", ["2", "job.yaml:6"]),
            ("z", "mtime", ["file", "job.yaml:6"]), ("r", "run", ["sh -c \"echo a b\"", "job.yaml:7"]),
            ("r", "env.V", ["w", "job.yaml:7"]), ("r", "cwd", ["tree", "job.yaml:7"]),
            ("r", "inputs", ["tree/", "job.yaml:7"]), ("r", "outputs", ["f, d/", "job.yaml:7"]),
            ("r", "expect.status", ["0", "standard"]), ("r", "timeout.attempt", ["5s", "job.yaml:8"]), ("r", "to", []),
            ("u", "method", ["POST", "job.yaml:9"]), ("u", "form.field", ["it", "job.yaml:9"]),
            ("u", "form.fields.k", ["v", "job.yaml:9"]), ("u", "save_response", ["reply", "job.yaml:10"]),
            ("u", "expect.status", ["201", "job.yaml:10"]),
            ("u", "headers.X-A", ["one", "job.yaml:3, hosts h.example"]),
            ("u", "timeout.connect", ["10s", "standard"]), ("c", "check", ["o.tar.xz", "job.yaml:11"]),
            ("c", "size", ["4096", "job.yaml:11"]), ("c", "expect.type", ["xz", "job.yaml:11"]),
            ("c", "md5", ["d41d8cd98f00b204e9800998ecf8427e", "job.yaml:11"]),
        ] as [(String, String, [String])])
    func namesTheFieldsOfEveryKind(id: String, key: String, expected: [String]) async throws {
        let test = try TestContext()
        try test.folder.write("job.yaml", Self.kinds)
        for name in ["in.zip", "x"] { try test.folder.write(name, "") }
        #expect(await test.run("plan", "job.yaml", "--explain", id) == 0, "\(test.errors.text)")
        #expect(Array(line(key, in: test.output.text).dropFirst()) == expected)
        #expect(!test.output.text.contains("hunter22"))
    }

    @Test func takesDestinationsAndOtherFiles() async throws {
        let test = try made()
        #expect(await test.run("plan", "job.yaml", "--explain", "files/a") == 0)
        #expect(test.output.text.hasPrefix("a, job.yaml:12:9: fetch, not on disk\n"))
        #expect(await test.run("plan", "job.yaml", "--explain", "b") == 0)
        #expect(test.output.text.contains("b, more.yaml:3:5: fetch"))
        #expect(test.output.text.contains("more.yaml:3\n"))
    }

    @Test func writesJSON() async throws {
        let test = try made()
        #expect(await test.run("plan", "job.yaml", "--explain=a", "--format=json") == 0)
        let text = test.output.text
        #expect(
            text.hasPrefix(
                #"{"schema":"runner.explain/1","id":"a","verdict":"fetch","reason":"not on disk","fields":["#))
        #expect(text.contains(#"{"key":"size","value":"12","from":"task","file":"job.yaml","line":17}"#))
        #expect(text.contains(#"{"key":"retry.max","value":"1m","from":"standard"}"#))
    }

    @Test func showsNoSecret() async throws {
        let test = try made()
        _ = await test.run("plan", "job.yaml", "--explain", "a")
        _ = await test.run("plan", "job.yaml", "--explain", "a", "--format", "json")
        for secret in ["hunter22", "T0KEN99", "b3arer99"] { #expect(!test.output.text.contains(secret)) }
    }

    @Test func refuses() async throws {
        let test = try made()
        #expect(await test.run("plan", "job.yaml", "--explain", "file/a") == 2)
        #expect(test.errors.text.contains("no task has the id or destination 'file/a'"))
        #expect(await test.run("plan", "job.yaml", "--explain", "a", "--format", "dot") == 2)
        #expect(await test.run("plan", "job.yaml", "--explain", "a", "--probe") == 2)
    }
}
