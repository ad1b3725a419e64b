import RunnerJob
import RunnerPlan
import Testing

@Suite("The order in which tasks start")
struct StartOrderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var tasks: [JobTask]
        var order: String
        var testDescription: String { order }
    }

    @Test(arguments: [
        Case(tasks: [task("a"), task("b"), task("c")], order: "a b c"),
        Case(tasks: [task("a", needs: ["c"]), task("b"), task("c")], order: "c a b"),
        Case(tasks: [task("a"), task("b", priority: 1), task("c", priority: -1)], order: "b a c"),
        // The longer chain goes first, the priority before that.
        Case(tasks: [task("x"), task("a"), task("b", needs: ["a"]), task("c", needs: ["b"])], order: "a b x c"),
        Case(
            tasks: [task("x", priority: 1), task("a"), task("b", needs: ["a"])], order: "x a b"),
        // A need comes first whatever the priority of what needs it.
        Case(tasks: [task("b", needs: ["a"], priority: 9), task("c", priority: 5), task("a")], order: "c a b"),
        // A diamond.
        Case(
            tasks: [task("d", needs: ["b", "c"]), task("c", needs: ["a"]), task("b", needs: ["a"]), task("a")],
            order: "a c b d"),
    ])
    func order(_ test: Case) throws {
        let plan = try Planner.plan(job(test.tasks), disk: FakeDisk())
        #expect(plan.startOrder.joined(separator: " ") == test.order)
    }

    @Test func criticalPathCountsTheLongestChainOfDependents() throws {
        let plan = try Planner.plan(
            job([task("a"), task("b", needs: ["a"]), task("c", needs: ["a", "b"]), task("d")]), disk: FakeDisk())
        #expect(plan.tasks.map(\.criticalPath) == [3, 2, 1, 1])
    }

    @Test func prioritiesAtTheEndsOfTheRangeDoNotOverflow() throws {
        let plan = try Planner.plan(
            job([task("a", priority: .min), task("b", priority: .max), task("c")]), disk: FakeDisk())
        #expect(plan.startOrder == ["b", "c", "a"])
    }

    /// A quadratic step anywhere would take minutes here.
    @Test(.timeLimit(.minutes(1)))
    func aLargeJobIsPlannedInLinearTime() throws {
        let count = 50_000
        var tasks = (0..<count).map { index in
            task(
                "t\(index)", to: "one/folder/d\(index % 200)/f\(index)", needs: index > 0 ? ["t\(index - 1)"] : [],
                list: index % 2 == 0 ? "https://example.org/\(index % 10)/SUMS" : nil)
        }
        tasks.append(task("hub", needs: (0..<count).map { "t\($0)" }))
        let plan = try Planner.plan(job(tasks), disk: FakeDisk())
        #expect(plan.order.count == count + 1 + 5)
        #expect(plan.tasks[0].criticalPath == count + 1)
    }
}
