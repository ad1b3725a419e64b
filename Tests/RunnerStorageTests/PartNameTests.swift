import RunnerStorage
import Testing

@Suite struct PartNameTests {
    @Test func showsTheDestination() throws {
        let name = try PartName.of("debian.iso", identity: "job")
        #expect(name.hasPrefix(".debian.iso."))
        #expect(name.hasSuffix(".part"))
        #expect(name.utf8.count == ".debian.iso.".utf8.count + 8 + ".part".utf8.count)
    }

    @Test func isTheSameEveryTime() throws {
        #expect(try PartName.of("f", identity: "job") == PartName.of("f", identity: "job"))
    }

    @Test(arguments: [240, 241, 242, 254, 255]) func fitsIntoAFileSystem(_ count: Int) throws {
        let long = String(repeating: "n", count: count)
        let name = try PartName.of(long, identity: "job")
        #expect(name.utf8.count <= 255)
        #expect(name.contains(long) == (count <= 240))
        #expect(name != (try PartName.of(long, identity: "other")))
        #expect(name != (try PartName.of(long.dropLast() + "m", identity: "job")))
    }
}
