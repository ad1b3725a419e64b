import RunnerJob
import RunnerPlan
import RunnerReport
import Testing

@Suite("A plan for programs")
struct PlanJSONTests {
    @Test func everyMember() throws {
        let text = PlanJSON(samplePlan).text
        let json = try JSONValue(parsing: text.utf8)
        #expect(
            text.hasPrefix(#"{"schema":"runner.plan/1","job":"night \"ly\"","file":"jobs/nightly.yaml","tasks":[{"#))
        #expect(text.hasSuffix("}\n"))
        let tasks = json["tasks"]?.elements ?? []
        #expect(tasks.compactMap { $0["id"]?.text } == ["SUMS", "iso", "old.iso", "readme.txt"])
        #expect(
            tasks[1]
                == .object([
                    "id": .string("iso"), "kind": .string("download"),
                    "source": .string("https://example.org/a?token=***&x=1"), "to": .string("iso/debian.iso"),
                    "verdict": .string("fetch"), "reason": .string("not on disk"), "bytes": .number(3_865_470_566),
                    "needs": .array([.string("SUMS")]), "line": .number(12),
                ]))
        #expect(tasks[0]["implied"] == .boolean(true))
        #expect(tasks[0]["needs"] == .array([]))
        #expect(tasks[0]["bytes"] == nil)
        #expect(tasks[3]["optional"] == .boolean(true))
        #expect(
            json["totals"]
                == .object([
                    "tasks": .number(4), "fetch": .number(2), "verify": .number(1), "up_to_date": .number(1),
                    "fetch_bytes": .number(3_865_470_566), "unknown_sizes": .number(1),
                    "read_bytes": .number(734_003_200), "free_bytes": .number(5_368_709_120),
                    "longest_chain": .array([.string("SUMS"), .string("iso")]), "worst_wait_ms": .number(15_000),
                ]))
        #expect(
            json["warnings"]
                == .array([
                    .object([
                        "message": .string("md5 alone with ***"), "file": .string("jobs/nightly.yaml"),
                        "line": .number(20), "column": .number(5),
                    ])
                ]))
    }

    @Test func anEmptyPlan() throws {
        let job = Job(name: "none", file: "-", folder: "/", directory: "/", tasks: [])
        let json = try JSONValue(parsing: PlanJSON(Plan(job: job, tasks: [], order: [], warnings: [])).text.utf8)
        #expect(json["tasks"] == .array([]))
        #expect(json["warnings"] == .array([]))
        #expect(json["totals"]?["longest_chain"] == .array([]))
    }
}

@Suite("A plan as a graph")
struct PlanDotTests {
    @Test func nodesAndArrows() {
        #expect(
            PlanDot(samplePlan).text == #"""
                digraph "night \"ly\"" {
                    rankdir=LR;
                    node [shape=box];
                    t0 [label="iso\nfetch"];
                    t1 [label="old.iso\nverify"];
                    t2 [label="readme.txt\nup to date", style=dashed];
                    t3 [label="SUMS\nfetch"];
                    t3 -> t0;
                }

                """#)
    }

    @Test func labelsAreQuoted() {
        let task = PlannedTask(
            task: download(#"a"b\n;-> hunter22"#, to: "a", line: 1), verdict: .fetch, reason: .notOnDisk)
        let text = PlanDot(Plan(job: samplePlan.job, tasks: [task], order: [0], warnings: [])).text
        #expect(text.contains(#"t0 [label="a\"b\\n;-> ***\nfetch"];"#))
    }
}

@Suite("A plan as a flowchart")
struct PlanMermaidTests {
    @Test func nodesAndArrows() {
        #expect(
            PlanMermaid(samplePlan).text == #"""
                flowchart LR
                    t0["iso<br>fetch"]
                    t1["old.iso<br>verify"]
                    t2["readme.txt<br>up to date"]
                    t3["SUMS<br>fetch"]
                    t3 --> t0
                    classDef done stroke-dasharray: 3
                    class t2 done

                """#)
    }

    @Test func labelsMeanNothing() {
        let task = PlannedTask(
            task: download(#"a"<b>#; é hunter22"#, to: "a", line: 1), verdict: .fetch, reason: .notOnDisk)
        let text = PlanMermaid(Plan(job: samplePlan.job, tasks: [task], order: [0], warnings: [])).text
        #expect(text == "flowchart LR\n    t0[\"a#34;#60;b#62;#35;#59; é #42;#42;#42;<br>fetch\"]\n")
    }
}
