import Testing

@testable import RunnerJob

@Suite struct SourceTextTests {
    private func fault(_ bytes: [UInt8]) -> String? {
        SourceText.fault(in: bytes, file: 0).map { fault in
            "\(fault.place?.line ?? 0):\(fault.place?.column ?? 0): \(fault.message)"
        }
    }

    @Test(arguments: [
        "", "a: b\n", "tab\there\r\n", "é", "日本", "\u{10FFFF}", "\u{85}\u{A0}", "\u{2028}", "\u{FEFF}",
        "\u{D7FF}\u{E000}",
        "\u{FFFD}",
    ])
    func acceptsText(text: String) {
        #expect(fault(Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE9, 0x0A], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func refusesWhatIsNotUTF8(bytes: [UInt8]) {
        let hex = String(bytes[0], radix: 16, uppercase: true)
        #expect(
            fault(Array("a: é\nb: é".utf8) + bytes)
                == "2:5: the file is not in UTF-8: byte 0x\(hex) at offset 11; save it with the encoding UTF-8")
    }

    @Test(
        arguments: [
            ([0x00], "00"), ([0x07], "07"), ([0x1B], "1B"), ([0x7F], "7F"), ([0xC2, 0x80], "C2"),
            ([0xC2, 0x9F], "C2"), ([0xEF, 0xBF, 0xBE], "EF"), ([0xEF, 0xBF, 0xBF], "EF"),
        ] as [([UInt8], String)])
    func refusesControlCharacters(bytes: [UInt8], hex: String) {
        #expect(
            fault(Array("a\r\nb".utf8) + bytes)
                == "2:2: a control character (byte 0x\(hex) at offset 4) cannot stand in a job file; remove it")
    }

    @Test(arguments: [[0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61]] as [[UInt8]])
    func namesTheEncodingUTF16(bytes: [UInt8]) {
        #expect(fault(bytes) == "1:1: the encoding of the file is UTF-16; save it as UTF-8")
    }

    @Test func refusesWhatIsTooLarge() {
        let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: SourceText.ceiling + 1)
        #expect(fault(bytes)?.contains("more than the 64 MiB that a job file may have") == true)
    }

    @Test func takesOffOneByteOrderMark() throws {
        let job = try JobText.parse("\u{FEFF}version: 1\ntasks:\n- http://h/a\n")
        #expect(job.tasks.count == 1)
        #expect(job.sources.line(of: Place(line: 1, column: 1)) == "version: 1")
    }

    @Test(arguments: ["\r\n", "\r", "\n"])
    func readsEveryLineBreak(lineBreak: String) throws {
        let lines = ["version: 1", "vars:", "  p: |-", "    x", "tasks:", "- download: http://h/${p}", ""]
        let job = try JobText.parse(lines.joined(separator: lineBreak))
        #expect(job.tasks.map(\.id) == ["x"])
        #expect(job.tasks.first?.place == Place(line: 6, column: 3))
    }
}
