import TestSupport
import Testing

/// Bodies that are broken off anywhere end as the whole file, and no byte is asked for twice.
@Suite struct CutMatrixTests {
    static let small = Content.pattern(count: 64 << 10)
    static let large = Content.pattern(count: 5 << 20)

    @Test(arguments: CutMatrix.Way.allCases) func aSampleOfPlaces(_ way: CutMatrix.Way) async throws {
        let offsets = CutMatrix.offsets(24, below: 64 << 10, seed: 1)
        try await CutMatrix(way: way, content: Self.small, offsets: offsets).run()
    }

    @Test(.enabled(if: Soak.isWanted), arguments: 0..<256) func everyPlace(_ part: Int) async throws {
        let offsets = Array(part * 256..<(part + 1) * 256)
        try await CutMatrix(way: .close, content: Self.small, offsets: offsets).run()
    }

    @Test(.enabled(if: Soak.isWanted), arguments: CutMatrix.Way.allCases)
    func fiveHundredPlaces(_ way: CutMatrix.Way) async throws {
        let offsets = CutMatrix.offsets(500, below: 64 << 10, seed: 2)
        try await CutMatrix(way: way, content: Self.small, offsets: offsets).run()
    }

    @Test(.enabled(if: Soak.isWanted), arguments: CutMatrix.Way.allCases, 0..<10)
    func fiveHundredPlacesOfALargeFile(_ way: CutMatrix.Way, _ part: Int) async throws {
        let offsets = CutMatrix.offsets(50, below: 5 << 20, seed: UInt64(3 + part))
        try await CutMatrix(way: way, content: Self.large, offsets: offsets).run()
    }
}
