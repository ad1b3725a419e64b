import Glibc
import TestSupport
import Testing

@testable import RunnerExecution

@Suite("Programs that are run")
struct RunningProgramTests {
    private let folder: TemporaryDirectory
    private let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nowhere"]

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func shell(_ script: String) -> ProgramOrder {
        ProgramOrder(["sh", "-c", script], environment: environment, folder: folder.path)
    }

    /// Whether any process has a word in its command line.
    private func runs(_ word: String) -> Bool {
        DiskFile.entries("/proc").contains { entry in
            guard entry.allSatisfy(\.isNumber), let line = DiskFile.read("/proc/\(entry)/cmdline") else { return false }
            return String(decoding: line, as: UTF8.self).contains(word)
        }
    }

    @Test func outputAndStatusAreTold() throws {
        let result = try RunningProgram.run(shell("echo out; echo err >&2; exit 7"))
        #expect(result.end == .exited(7))
        #expect(result.output.text == "out\nerr\n")
        #expect(try RunningProgram.run(shell("kill -9 $$")).end == .signalled(9))
        #expect(try RunningProgram.run(shell("true")).end == .exited(0))
    }

    @Test func noShellReadsTheArguments() throws {
        let order = ProgramOrder(["printf", "%s|", "a b", "$HOME", "*", ""], environment: environment, folder: "/")
        #expect(try RunningProgram.run(order).output.text == "a b|$HOME|*||")
    }

    @Test func theEnvironmentIsWhatIsGivenAndNothingElse() throws {
        var order = ProgramOrder(["env"], environment: environment, folder: "/")
        order.environment["B"] = "1=2"
        #expect(try RunningProgram.run(order).output.text == "B=1=2\nHOME=/nowhere\nPATH=/usr/bin:/bin\n")
        let clean = ProgramOrder.cleanEnvironment(of: ["PATH": "/x", "LANG": "C", "TOKEN": "t", "LD_PRELOAD": "p"])
        #expect(clean == ["PATH": "/x", "LANG": "C"])
        #expect(ProgramOrder.cleanEnvironment(of: [:]) == ["PATH": ProgramOrder.standardPath])
    }

    @Test func itWorksInItsFolder() throws {
        _ = try folder.write("sub/tool", "#!/bin/sh\npwd\n")
        #expect(chmod(folder.path("sub/tool"), 0o755) == 0)
        var order = ProgramOrder(["./tool"], environment: environment, folder: folder.path("sub"))
        #expect(try RunningProgram.run(order).output.text == folder.path("sub") + "\n")
        order.folder = folder.path("none")
        order.arguments = ["sh"]
        #expect(throws: ProgramFault.folder(path: folder.path("none"), errno: ENOENT)) {
            try RunningProgram.run(order)
        }
    }

    @Test func inputIsReadOrEmpty() throws {
        #expect(try RunningProgram.run(shell("cat; echo end")).output.text == "end\n")
        var order = shell("wc -c")
        order.input = [UInt8](repeating: 65, count: 1_000_000)
        #expect(try RunningProgram.run(order).output.text.filter(\.isNumber) == "1000000")
        // A program that does not read it ends all the same.
        order.arguments = ["true"]
        #expect(try RunningProgram.run(order).end == .exited(0))
    }

    @Test func whatCannotBeStartedIsTold() throws {
        func fault(_ program: String) -> ProgramFault? {
            let order = ProgramOrder([program], environment: environment, folder: folder.path)
            do throws(ProgramFault) {
                _ = try RunningProgram.run(order)
                return nil
            } catch { return error }
        }
        _ = try folder.write("plain", "text")
        _ = try folder.write("script", "#!/no/such/interpreter\n")
        _ = try folder.write("odd", "text that is no program")
        #expect(chmod(folder.path("script"), 0o755) == 0 && chmod(folder.path("odd"), 0o755) == 0)
        #expect(fault("no-such-program") == .notFound(program: "no-such-program", path: "/usr/bin:/bin"))
        #expect(fault("./none") == .notFound(program: "./none", path: nil))
        #expect(fault("./plain") == .notExecutable(path: "./plain"))
        #expect(fault("./script") == .noInterpreter(path: "./script"))
        #expect(fault("./odd") == .noProgram(path: "./odd"))
    }

    @Test func muchOutputIsCutInTheMiddle() throws {
        var order = shell("head -c 3000000 /dev/zero | tr '\\0' x; echo the end")
        order.outputCeiling = 1000
        let result = try RunningProgram.run(order)
        #expect(result.output.total == 3_000_008)
        #expect(result.output.omitted == 2_999_008)
        #expect(result.output.text.hasPrefix("xxx") && result.output.text.hasSuffix("xthe end\n"))
        #expect(result.output.text.contains("[… 2999008 bytes left out …]"))
        #expect(result.output.text.utf8.count < 1100)
    }

    /// Each leaves processes behind, if nobody ends them.
    @Test(arguments: [
        "sleep 7MARK & exit 0",
        "(trap '' TERM HUP INT; sleep 7MARK) & exit 0",
        "setsid sleep 7MARK & exit 0",
        "setsid setsid sleep 7MARK & setsid sh -c 'sleep 7MARK & sleep 7MARK' & exit 0",
        "(sleep 7MARK &) ; exit 0",
    ])
    func nothingIsLeftBehind(_ script: String) throws {
        let mark = "7" + String(UInt32.random(in: 1_000_000..<9_000_000))
        let result = try RunningProgram.run(shell(script.replacing("7MARK", with: mark)))
        #expect(result.end == .exited(0))
        #expect(!runs(mark))
    }

    @Test(arguments: [
        "sleep 7MARK", "trap '' TERM; sleep 7MARK; sleep 7MARK", "trap '' TERM; setsid sleep 7MARK & wait",
    ])
    func aLimitOfTimeEndsAllOfIt(_ script: String) throws {
        let mark = "7" + String(UInt32.random(in: 1_000_000..<9_000_000))
        var order = shell("echo begun; " + script.replacing("7MARK", with: mark))
        order.timeout = .seconds(1)
        order.grace = .milliseconds(200)
        let result = try RunningProgram.run(order)
        #expect(result.end == .timedOut(.seconds(1)))
        #expect(result.output.text.hasPrefix("begun\n"))
        #expect(!runs(mark))
    }

    @Test func aProgramMayEndInOrderWhenItIsAskedTo() throws {
        var order = shell("trap 'echo ending; exit 0' TERM; echo ready; while :; do sleep 0.01; done")
        // A shell on a busy machine needs some of it to set its trap.
        order.timeout = .seconds(2)
        let result = try RunningProgram.run(order)
        #expect(result.end == .timedOut(.seconds(2)))
        #expect(result.output.text.hasSuffix("ending\n"))
    }

    @Test func theCallerMayStopIt() throws {
        let result = try RunningProgram.run(shell("sleep 1000")) { .milliseconds(100) }
        #expect(result.end == .stopped)
    }

    @Test func signalsHaveTheirUsualMeaningInIt() throws {
        // yes(1) ends by SIGPIPE, which a caller may ignore for itself.
        #expect(try RunningProgram.run(shell("yes | head -n 1")).output.text == "y\n")
    }
}

@Suite("Output that is kept")
struct CapturedOutputTests {
    @Test(arguments: [0, 1, 3, 4, 9, 10, 11, 25, 100]) func theEndsAreKept(_ count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        var whole = CapturedOutput(ceiling: 10), pieces = CapturedOutput(ceiling: 10)
        whole.append(bytes)
        for byte in bytes { pieces.append([byte]) }
        #expect(whole.text == pieces.text)
        #expect(whole.total == Int64(count) && whole.omitted == Int64(max(0, count - 10)))
        if count <= 10 { #expect(whole.text == String(decoding: bytes, as: UTF8.self)) }
    }
}
