import Glibc
import RunnerStorage
import Testing

@testable import RunnerExecution

/// Why a run does not begin, and what can be done about it.
@Suite struct SiteRefusalTests {
    @Test(arguments: [(EMFILE, "ulimit -n"), (EACCES, "check who owns the folder"), (EROFS, "read-only")])
    func aFolderThatCannotBeUsedIsToldWithAdvice(_ code: Int32, _ advice: String) {
        let refusal = SiteRefusal(.storage(.failed(.open, path: "/s/lease", errno: code)), folder: "/s")
        #expect(refusal.message.hasPrefix("the state folder /s cannot be used: /s/lease: cannot open: "))
        #expect(refusal.message.contains(advice))
        #expect(!refusal.isOccupied)
    }

    /// A crash of the machine may leave an empty lease behind.
    @Test func aLeaseThatSaysNothingIsToldWithItsTime() {
        let refusal = SiteRefusal(.heldByUnknown(path: "/s/leases/a.json"), folder: "/s")
        #expect(refusal.message.contains("/s/leases/a.json does not say which; it counts for a minute"))
        #expect(refusal.isOccupied)
    }
}
