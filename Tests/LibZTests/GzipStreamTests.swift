import LibZ
import Testing

@Suite("gzip")
struct GzipStreamTests {
    /// "hello\n" in one stored block (RFC 1951, 3.2.4), with its check sum and length (RFC 1952, 2.3.1).
    private static let hello: [UInt8] =
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 6, 0, 0xF9, 0xFF] + Array("hello\n".utf8)
        + [0x20, 0x30, 0x3A, 0x36, 6, 0, 0, 0]

    private func unpack(_ packed: [UInt8], room: Int = 100) throws -> (text: String, isOver: Bool) {
        var stream = try GzipStream()
        var output = [UInt8](repeating: 0, count: room)
        var made: [UInt8] = []
        var rest = packed[...]
        while !rest.isEmpty {
            let step = try rest.withUnsafeBytes { input in
                try output.withUnsafeMutableBytes { try stream.unpack(input, into: $0) }
            }
            made += output[..<step.made]
            rest = rest.dropFirst(step.taken)
            if step.isOver { return (String(decoding: made, as: UTF8.self), rest.isEmpty) }
            if step.taken == 0, step.made == 0 { break }
        }
        return (String(decoding: made, as: UTF8.self), false)
    }

    @Test(arguments: [1, 3, 100])
    func unpacksInPiecesOfAnySize(_ room: Int) throws {
        let (text, isOver) = try unpack(Self.hello, room: room)
        #expect(text == "hello\n")
        #expect(isOver)
    }

    @Test(arguments: [15, 21, 25])
    func aChangedByteIsFound(_ index: Int) throws {
        var packed = Self.hello
        packed[index] ^= 0x40
        #expect(throws: GzipError.self) { _ = try unpack(packed) }
    }

    @Test func aStreamThatIsCutIsNotOver() throws {
        #expect(try unpack(Array(Self.hello.dropLast())).isOver == false)
    }

    @Test func beginsAgain() throws {
        var stream = try GzipStream()
        var output = [UInt8](repeating: 0, count: 100)
        for _ in 0..<3 {
            let step = try Self.hello.withUnsafeBytes { input in
                try output.withUnsafeMutableBytes { try stream.unpack(input, into: $0) }
            }
            #expect(step.isOver)
            try stream.restart()
        }
    }
}
