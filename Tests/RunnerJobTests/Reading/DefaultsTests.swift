import RunnerJob
import Testing

@Suite struct DefaultsTests {
    private func tasks(_ defaults: String, _ items: String...) throws -> [JobTask] {
        try JobText.parse(
            "version: 1\ndefaults:\n\(defaults)\ntasks:\n" + items.map { "- " + $0 }.joined(separator: "\n")
        ).tasks
    }

    @Test func holdForTasksThatSayNothing() throws {
        let tasks = try tasks(
            """
              optional: true
              priority: 2
              retry: {attempts: 3}
              timeout: {total: 1m}
              expect: {type: zip}
              exists: keep
              mode: 0600
              mtime: server
              user_agent: me
            """, "http://h/a", "{download: http://h/b}")
        for task in tasks {
            #expect(task.isOptional)
            #expect(task.priority == 2)
            #expect(task.retry.attempts == 3)
            #expect(task.timeout.total == .seconds(60))
            #expect(task.download.expect.type == .zip)
            #expect(task.download.exists == .keep)
            #expect(task.download.mode == 0o600)
            #expect(task.download.modificationTime == .server)
            #expect(task.download.request.userAgent == "me")
        }
        #expect(tasks[0].download.request === tasks[1].download.request)
    }

    @Test func giveWayFieldByField() throws {
        let task = try #require(
            try tasks(
                "  retry: {attempts: 3, first: 2s}\n  timeout: {total: 1m, stall: 5s}\n  expect: {type: zip, min_size: 3}\n  optional: true",
                "{download: http://h/a, retry: {first: 4s}, timeout: {stall: 9s}, expect: {min_size: 7}, optional: false}"
            ).first)
        #expect(task.retry.attempts == 3)
        #expect(task.retry.first == .seconds(4))
        #expect(task.timeout.total == .seconds(60))
        #expect(task.timeout.stall == .seconds(9))
        #expect(task.download.expect.type == .zip)
        #expect(task.download.expect.minSize == 7)
        #expect(!task.isOptional)
    }

    @Test func giveWayHeaderByHeader() throws {
        let tasks = try tasks(
            "  headers: {A: 1, B: 2}\n  auth: {bearer: x}\n  tls: {ca: c.pem}",
            "{download: http://h/a, headers: {b: 3, C: 4}}",
            "{download: http://h/b, auth: {basic: {user: u, password: p}}}")
        let first = tasks[0].download.request
        #expect(first.headers.map { "\($0.name)=\($0.value)" } == ["A=1", "b=3", "C=4"])
        #expect(first.auth == .bearer("x"))
        #expect(first.network.tls.authorities == "/jobs/c.pem")
        #expect(tasks[1].download.request.auth == .basic(user: "u", password: "p"))
        #expect(tasks[1].download.request.headers.map(\.value) == ["1", "2"])
    }

    @Test func giveAChecksumListToTasksWithoutDigest() throws {
        let hex = String(repeating: "ab", count: 32)
        let tasks = try tasks(
            "  digest: {file: d/SUMS}", "{download: http://h/SUMS, to: d/}", "{download: http://h/a}",
            "{download: http://h/b, sha256: \(hex)}", "{download: http://h/c, digest: {file: OTHER}}")
        let lists = tasks.map { task -> String? in
            guard case .path(let path)? = task.download.checksumList?.source else { return nil }
            return path.text
        }
        #expect(lists == [nil, "d/SUMS", nil, "OTHER"])
    }

    @Test(arguments: [
        ("  to: a", "3:3: `to` belongs to one task and cannot be a default"),
        ("  needs: [a]", "3:3: `needs` belongs to one task and cannot be a default"),
        ("  sha256: aa", "3:3: `sha256` belongs to one task and cannot be a default"),
        ("  digest: aa", "3:11: only `digest: {file: …}` can be a default; one digest fits one file"),
        ("  retri: {}", "3:3: unknown key `retri` in `defaults`; did you mean `retry`?"),
        ("  cache: 1", "3:3: unknown key `cache` in `defaults`"),
        ("  - a", "3:3: `defaults` wants a mapping, such as `defaults: {retry: {attempts: 5}}`"),
    ])
    func refuseWhatFitsOneTaskOnly(defaults: String, fault: String) {
        #expect(JobText.faults("version: 1\ndefaults:\n\(defaults)\ntasks: []\n").first == fault)
    }
}
