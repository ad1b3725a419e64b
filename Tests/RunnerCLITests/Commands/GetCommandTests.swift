import RunnerCLI
import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// What `runner get` makes of its arguments.
@Suite struct GetCommandTests {
    /// The plan that a command line leads to: `URL -> directory/name` for each task.
    static func targets(_ words: [String]) async throws -> (status: Int32, targets: [String], test: TestContext) {
        let state = try TemporaryDirectory()
        let test = try TestContext(environment: ["XDG_STATE_HOME": state.path])
        let status = await Program.run(["get"] + words, in: test.context).rawValue
        let targets = test.record.plans.flatMap { plan in
            plan.tasks.map { planned in
                guard case .download(let download) = planned.task.action else { return "" }
                let folder = plan.job.directory.replacing(test.folder.path, with: "~")
                return "\(download.sources[0].url) -> \(folder)/\(download.path)"
            }
        }
        return (status, targets, test)
    }

    @Test(arguments: [
        (["http://h/a"], ["http://h/a -> ~/a"]),
        (["http://h/a", "http://h/b?x=1"], ["http://h/a -> ~/a", "http://h/b?x=1 -> ~/b"]),
        (["http://h/a", "-o", "x y"], ["http://h/a -> ~/x y"]),
        (["http://h/a", "-o", "sub/x"], ["http://h/a -> ~/sub/x"]),
        (["http://h/a", "-o", "sub/"], ["http://h/a -> ~/sub//a"]),
        (["http://h/a", "http://h/b", "-o", "sub/"], ["http://h/a -> ~/sub//a", "http://h/b -> ~/sub//b"]),
        (["http://h/a", "-o", "../x"], ["http://h/a -> ~/../x"]),
        (["http://h/a", "-o", ".."], ["http://h/a -> ~/../a"]),
        (["http://h/a", "-o", "/srv/x"], ["http://h/a -> /srv/x"]),
        (["http://h/a", "-o", "/x"], ["http://h/a -> //x"]),
        (["http://h/a", "-C", "d"], ["http://h/a -> ~/d/a"]),
        (["http://h/a", "-C", "/d", "-o", "x"], ["http://h/a -> /d/x"]),
        (["http://h/a$b", "-o", "${x}$$\"\\"], ["http://h/a$b -> ~/${x}$$\"\\"]),
    ])
    func everyURLHasItsPlace(words: [String], expected: [String]) async throws {
        let (status, targets, test) = try await Self.targets(words)
        #expect(status == 0, "\(test.errors.text)")
        #expect(targets == expected)
    }

    @Test(arguments: ["", "sha256:", "sha-256="]) func digestsAreChecked(prefix: String) async throws {
        let hex = String(repeating: "ab", count: 32)
        let (status, _, test) = try await Self.targets(
            [
                "http://h/a", "--sha256", prefix + hex.uppercased(), "--digest",
                "md5:" + String(repeating: "0", count: 32),
            ])
        #expect(status == 0)
        guard case .download(let download) = test.record.plans.first?.tasks.first?.task.action else {
            Issue.record("no task")
            return
        }
        #expect(download.digests.map(\.algorithm) == [.sha256, .md5])
        #expect(download.digests.first?.hex == hex)
    }

    @Test(arguments: [
        (["http://h/a", "--sha256", "xyz"], "http://h/a"),
        (["http://h/a", "--sha256", "abc"], "a sha256 digest has 64 hexadecimal digits, this has 3"),
        (["http://h/"], "http://h/"), (["h/a"], "h/a"),
        (["http://h/a", "ftq://h/b"], "ftq://h/b"), (["http://h/a", "http://h/a"], "http://h/a"),
        (["http://h/a", "http://h/b", "-o", "x"], "more than one URL"),
        (["http://h/a", "http://h/b", "--sha256", "00"], "more than one URL"), (["http://h/a", "-o", "-"], "--output"),
        (["http://h/a", "-o", ""], "--output"), (["http://h/a", "-C", ""], "--directory"), ([], "URL is missing"),
    ])
    func whatIsWrongIsToldWithItsURL(words: [String], text: String) async throws {
        let (status, targets, test) = try await Self.targets(words)
        #expect(status == 2)
        #expect(targets == [])
        #expect(test.errors.text.hasPrefix("runner: error: "))
        #expect(test.errors.text.contains(text), "\(test.errors.text)")
    }

    /// Nobody who types a command has a `to` to write.
    @Test(arguments: [
        ["http://h/d/"], ["http://h"], ["http://h/d/", "-o", "folder/"], ["http://h/a", "http://h/d/"],
    ])
    func aURLWithoutANameIsToldInTheWordsOfTheCommand(words: [String]) async throws {
        let (status, _, test) = try await Self.targets(words)
        #expect(status == 2)
        #expect(test.errors.text.contains("-o"), "\(test.errors.text)")
        #expect(!test.errors.text.contains("`to"), "\(test.errors.text)")
    }

    @Test(
        arguments: [
            (["XDG_STATE_HOME": "/state", "HOME": "/people/me"], "/state/runner"),
            (["XDG_STATE_HOME": "state", "HOME": "/people/me"], "/people/me/.local/state/runner"),
            (["HOME": "/people/me"], "/people/me/.local/state/runner"), ([:], nil),
        ] as [([String: String], String?)])
    func theStateIsKeptOutOfTheUsersFolder(environment: [String: String], folder: String?) async throws {
        let test = try TestContext(environment: environment)
        #expect(await test.run("get", "http://h/a") == 0)
        #expect(await test.run("get", "http://h/a", "-C", "other") == 0)
        // Without a home there is no better place than beside the files.
        let home = test.folder.path
        let folders = [folder ?? "\(home)/.runner", folder ?? "\(home)/other/.runner"]
        #expect(test.record.options.map(\.stateFolder) == folders)
        #expect(Set(test.record.options.map(\.identity)).count == 2)
    }

    @Test func passwordsInURLsAreNotShown() async throws {
        let (status, _, test) = try await Self.targets(["http://u:S3CRET@h/", "http://u:S3CRET@h/?token=S3CRET"])
        #expect(status == 2)
        #expect(!test.errors.text.contains("S3CRET"))
    }
}
