import RunnerJob
import Testing

@Suite struct GroupTests {
    private func tasks(_ items: String, top: String = "") throws -> [JobTask] {
        try JobText.parse("version: 1\n\(top)tasks:\n\(items)\n").tasks
    }

    @Test func givesItsFieldsFieldByField() throws {
        let tasks = try tasks(
            """
            - retry: {attempts: 3, first: 2s}
              headers: {A: 1, B: 2}
              expect: {type: zip}
              optional: true
              tasks:
                - http://h/a
                - {download: http://h/b, retry: {attempts: 9}, headers: {b: 3}, optional: false}
                - timeout: {stall: 3s}
                  expect: {min_size: 5}
                  tasks: [http://h/c]
            - http://h/d
            """)
        #expect(tasks.map(\.id.text) == ["a", "b", "c", "d"])
        #expect(tasks.map(\.retry.attempts) == [3, 9, 3, 5])
        #expect(tasks.map(\.retry.first) == [.seconds(2), .seconds(2), .seconds(2), .seconds(1)])
        #expect(tasks.map { $0.download.request.headers.map(\.value) } == [["1", "2"], ["1", "3"], ["1", "2"], []])
        #expect(tasks.map(\.isOptional) == [true, false, true, false])
        #expect(tasks[2].download.expect.type == .zip)
        #expect(tasks[2].download.expect.minSize == 5)
        #expect(tasks[2].timeout.stall == .seconds(3))
        #expect(tasks[0].download.request === tasks[2].download.request)
    }

    @Test func isTheRootOfItsPaths() throws {
        let tasks = try tasks(
            """
            - directory: firmware/
              digest: {file: SUMS}
              tasks:
                - {download: http://h/SUMS}
                - {download: http://h/b, to: x/y}
                - directory: deep
                  tasks:
                    - {download: http://h/c, to: ../c}
                    - {download: http://h/d, to: /abs/d}
                    - {download: http://h/e, to: sub/, body: {file: form}, method: POST}
            - {directory: /abs, tasks: [http://h/f]}
            - {directory: /jobs/in, tasks: [http://h/g]}
            """)
        #expect(
            tasks.map(\.id.text) == [
                "firmware/SUMS", "firmware/x/y", "firmware/c", "/abs/d", "firmware/deep/sub/e", "/abs/f", "in/g",
            ])
        #expect(tasks[0].download.checksumList == nil)
        guard case .path(let list)? = tasks[1].download.checksumList?.source else {
            Issue.record("no list")
            return
        }
        #expect(list.text == "firmware/SUMS")
        guard case .file(let body, _)? = tasks[4].download.request.body else {
            Issue.record("no body")
            return
        }
        #expect(body.text == "firmware/deep/form")
    }

    @Test func addsToWhatItsTasksNeed() throws {
        let tasks = try tasks(
            "- {needs: [a], tasks: [http://h/b, {needs: c, tasks: [{download: http://h/d, needs: [e]}]}]}")
        #expect(tasks.map { $0.needs.map(\.name.text) } == [["a"], ["a", "c", "e"]])
    }

    @Test func comesBeforeTheHostsOfTheJob() throws {
        let task = try #require(
            try tasks(
                "- {user_agent: group, tasks: [http://h/a]}",
                top:
                    "defaults: {user_agent: default, headers: {X: 1}}\nhosts: {h: {user_agent: host, headers: {X: 2}}}\n"
            ).first)
        #expect(task.download.request.userAgent == "group")
        #expect(task.download.request.headers.map(\.value) == ["2"])
    }

    @Test func takesAMatrix() throws {
        let tasks = try tasks(
            """
            - matrix: {arch: [arm, x86]}
              directory: ${arch}
              tasks:
                - {matrix: {n: 1..2}, download: "http://h/${arch}-${n}"}
                - http://h/${arch}
            """)
        #expect(tasks.map(\.id.text) == ["arm/arm-1", "arm/arm-2", "arm/arm", "x86/x86-1", "x86/x86-2", "x86/x86"])
    }

    @Test(arguments: [
        ("- {tasks: x}", "3:11: `tasks` of a group wants a list"),
        ("- {to: a, tasks: []}", "3:4: `to` belongs to one task and cannot be a field of a group"),
        ("- {id: a, tasks: []}", "3:4: `id` belongs to one task and cannot be a field of a group"),
        ("- {download: http://h/a, tasks: []}", "3:4: `download` belongs to one task and cannot be a field of a group"),
        ("- {digest: ab, tasks: []}", "3:12: only `digest: {file: …}` can be a field of a group"),
        (
            "- {directry: a, tasks: []}",
            "3:4: unknown key `directry` in a group (an item with `tasks`); did you mean `directory`?"
        ),
        ("- {directory: ../a, tasks: []}", "3:15: the path leaves the job's directory"),
        ("- {directory: ~/a, tasks: []}", "3:15: `~` does not stand for the home folder"),
        ("- {directory: d, tasks: [{download: http://h/a, to: ~/a}]}", "`~` does not stand for the home folder"),
        ("- {directory: d, tasks: [{download: http://h/a, to: ../../a}]}", "the path leaves the job's directory"),
    ])
    func refuses(item: String, message: String) {
        let faults = JobText.faults("version: 1\ntasks:\n\(item)\n")
        #expect(faults.count == 1)
        #expect(faults.first?.contains(message) == true, "\(faults)")
    }
}
