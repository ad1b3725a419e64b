import RunnerJob
import Testing

@Suite struct IncludeTests {
    private func input(_ text: String, _ files: [String: String], overrides: [String: String] = [:]) -> JobInput {
        JobText.input(text, file: "d/job.yaml", overrides: overrides, files: files)
    }

    @Test func addsTasksInOrderAndEachFileOnce() throws {
        let job = try JobParser.parse(
            input(
                "version: 1\ninclude: [a.yaml, sub/b.yaml]\ntasks: [http://h/own]\n",
                [
                    "/jobs/a.yaml": "version: 1\nname: a\ninclude: sub/c.yaml\ntasks: [http://h/a]\n",
                    "/jobs/sub/b.yaml": "version: 1\ninclude: [c.yaml]\ntasks: [http://h/b]\n",
                    "/jobs/sub/c.yaml": "version: 1\ntasks: [http://h/c]\n",
                ]))
        #expect(job.tasks.map(\.id.text) == ["a", "c", "b", "own"])
        #expect(job.name == "job")
        #expect(
            job.tasks.map { job.sources.name(of: $0.place) } == [
                "d/a.yaml", "d/sub/c.yaml", "d/sub/b.yaml", "d/job.yaml",
            ])
        #expect(job.tasks.map(\.place.line) == [4, 2, 3, 3])
    }

    @Test func letsTheFileThatIncludesWin() throws {
        let job = try JobParser.parse(
            input(
                """
                version: 1
                include: [a.yaml, b.yaml]
                vars: {x: own}
                defaults: {retry: {attempts: 2}, timeout: {total: 9s}}
                tasks: ["http://h/${x}-${y}-${z}"]
                """,
                [
                    "/jobs/a.yaml":
                        "version: 1\nvars: {x: a, y: a, z: a}\ndefaults: {retry: {attempts: 7}}\ntasks: ['http://h/a/${x}a']\n",
                    "/jobs/b.yaml": "version: 1\nvars: {y: \"b${x}\"}\ntasks: [http://h/b]\n",
                ]))
        #expect(job.tasks.map(\.id.text) == ["owna", "b", "own-bown-a"])
        // Defaults of an included file are for its own tasks, over those of the job.
        #expect(job.tasks.map(\.retry.attempts) == [7, 2, 2])
        #expect(job.tasks.map(\.timeout.total) == [.seconds(9), .seconds(9), .seconds(9)])
    }

    @Test func startsPathsThatConfigureInItsOwnFolder() throws {
        let job = try JobParser.parse(
            input(
                "version: 1\ninclude: sub/a.yaml\nhosts: {h: {user_agent: job}}\n",
                [
                    "/jobs/sub/a.yaml":
                        "version: 1\nhosts: {h: {tls: {ca: ca.pem}, user_agent: a}}\ntasks:\n- {matrix: {file: rows.csv}, download: \"${u}\", cookies: jar}\n",
                    "/jobs/sub/rows.csv": "u\nhttp://h/a\n",
                ]))
        let request = try #require(job.tasks.first).download.request
        #expect(request.network.tls.authorities == "/jobs/sub/ca.pem")
        #expect(request.network.cookies == "/jobs/sub/jar")
        #expect(request.userAgent == "job")
        #expect(job.tasks.map(\.id.text) == ["a"])
    }

    @Test func namesTheCycle() {
        #expect(
            JobText.report(
                input(
                    "version: 1\ninclude: a.yaml\n",
                    [
                        "/jobs/a.yaml": "version: 1\ninclude: [sub/b.yaml]\n",
                        "/jobs/sub/b.yaml": "version: 1\ninclude: [../job.yaml]\n", "/jobs/job.yaml": "",
                    ])) == """
                    d/sub/b.yaml:2:11: error: files include each other in a cycle: d/job.yaml → d/a.yaml → d/sub/b.yaml → d/job.yaml
                        include: [../job.yaml]
                                  ^
                    d/job.yaml:2:10: note: `d/job.yaml` includes here
                        include: a.yaml
                                 ^
                    d/a.yaml:2:11: note: `d/a.yaml` includes here
                        include: [sub/b.yaml]
                                  ^

                    """)
    }

    @Test(arguments: [
        ("", "d/job.yaml:2:10: error: `d/a.yaml` cannot be read: No such file or directory"),
        ("[]", "d/a.yaml:1:1: error: a job file is a mapping that begins with `version: 1`"),
        ("tasks: []", "d/a.yaml:1:1: error: `version` is missing"),
        ("version: 2", "d/a.yaml:1:10: error: version `2` is not known"),
        ("version: 1\ndirectory: x", "d/a.yaml:2:1: error: `directory` belongs to the job file itself"),
        ("version: 1\nsecrets: {file: x}", "d/a.yaml:2:1: error: `secrets` belongs to the job file itself"),
        ("version: 1\ntasks: [x]", "d/a.yaml:2:9: error: a URL begins with its scheme"),
        ("version: 1\nx: [", "d/a.yaml:"),
        ("version: 1\ntasks: ['${no}']", "d/a.yaml:2:10: error: the variable `no` is not set"),
    ])
    func pointsIntoTheFileThatIsWrong(content: String, message: String) {
        let report = JobText.report(
            input("version: 1\ninclude: a.yaml\n", content.isEmpty ? [:] : ["/jobs/a.yaml": content + "\n"]))
        #expect(report.hasPrefix(message), "\(report)")
    }

    @Test func endsAnEndlessChain() {
        let files = JobFiles { (path, take) throws(JobFileFault) in
            let number = path.filter(\.isNumber).count
            _ = take(Array("version: 1\ninclude: \(String(repeating: "1", count: number + 1)).yaml\n".utf8)[...])
        }
        var input = JobText.input("version: 1\ninclude: 1.yaml\n")
        input.files = files
        #expect(JobText.report(input).contains("files include each other over more than 50 steps"))
    }
}
