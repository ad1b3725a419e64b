import TestSupport
import Testing

@testable import RunnerCLI

@Suite struct CommandOutputTests {
    private func reason(_ words: String...) -> String? {
        do throws(CommandOutput.Fault) {
            _ = try CommandOutput.of(words, environment: ["PATH": "/usr/bin:/bin"])
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func isWhatTheProgramWrites() throws {
        let output = try CommandOutput.of(
            ["sh", "-c", "echo \"$0 $X\"; cat", "a b"], environment: ["X": "y", "PATH": "/usr/bin:/bin"])
        #expect(String(decoding: output, as: UTF8.self) == "a b y\n")
    }

    @Test func tellsWhyThereIsNone() {
        #expect(reason("sh", "-c", "echo x; exit 3") == "the command ended with status 3")
        #expect(reason("sh", "-c", "kill -9 $$") == "the command was ended by signal 9")
        #expect(reason("/nowhere/program") == "the command cannot be run: No such file or directory")
        #expect(reason("sh", "-c", "yes") == "the command wrote more than 1 MiB")
    }
}
