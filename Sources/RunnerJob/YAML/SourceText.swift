/// The bytes of a job file as text that libyaml can read, or what is wrong with them.
enum SourceText {
    /// Largest job file that is read, in bytes.
    static let ceiling = 64 << 20

    /// Takes off a byte order mark.
    static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The first reason why a text cannot be read; nil for good text.
    ///
    /// - Parameter bytes: The content of the file without a byte order mark.
    static func fault(in bytes: [UInt8], file: Int32) -> Diagnostic? {
        let start = Place(file: file, line: 1, column: 1)
        if bytes.count > ceiling {
            return Diagnostic(
                .error,
                "the file has \(bytes.count) bytes, more than the \(ceiling >> 20) MiB that a job file may have",
                at: start)
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return Diagnostic(.error, "the encoding of the file is UTF-16; save it as UTF-8", at: start)
        }
        guard let fault = UTF8Scan.firstFault(in: bytes) else { return nil }
        let place = place(ofByte: fault.offset, in: bytes, file: file)
        let value = bytes[fault.offset]
        let byte = (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
        switch fault.kind {
        case .invalid:
            return Diagnostic(
                .error,
                "the file is not in UTF-8: byte 0x\(byte) at offset \(fault.offset); save it with the encoding UTF-8",
                at: place)
        case .control:
            return Diagnostic(
                .error,
                "a control character (byte 0x\(byte) at offset \(fault.offset)) cannot stand in a job file; remove it",
                at: place)
        }
    }

    /// The fault of a file in which version control has left two versions; nil where there is no such place.
    static func conflict(in bytes: [UInt8], file: Int32) -> Diagnostic? {
        let mark = Array("<<<<<<< ".utf8)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let index = lines.firstIndex(where: { $0.starts(with: mark) }) else { return nil }
        let place = Place(file: file, line: Int32(clamping: index + 1), column: 1)
        return Diagnostic(.error, "a merge conflict begins here that nobody has settled", at: place)
    }

    private static func place(ofByte offset: Int, in bytes: [UInt8], file: Int32) -> Place {
        let lines = LineIndex(Array(bytes[..<offset]))
        let column = lines.last.reduce(1) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        return Place(file: file, line: Int32(clamping: lines.count), column: Int32(clamping: column))
    }
}

/// Looks for bytes that YAML does not allow (YAML 1.2.2, 5.1: the printable subset of Unicode).
enum UTF8Scan {
    enum Kind { case invalid, control }

    static func firstFault(in bytes: [UInt8]) -> (offset: Int, kind: Kind)? {
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte < 0x80 {
                    if byte < 0x20 ? byte != 9 && byte != 10 && byte != 13 : byte == 0x7F { return (index, .control) }
                    index += 1
                    continue
                }
                guard let length = length(of: bytes[index...].prefix(4)) else { return (index, .invalid) }
                if isControl(bytes[index..<index + length]) { return (index, .control) }
                index += length
            }
            return nil
        }
    }

    /// The length of the sequence that the bytes begin with (Unicode, table 3-7); nil for an ill-formed one.
    private static func length(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let first = bytes.first else { return nil }
        let length: Int
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return nil
        }
        let rest = bytes.dropFirst().prefix(length - 1)
        guard rest.count == length - 1, let second = rest.first, rest.allSatisfy({ $0 & 0xC0 == 0x80 }) else {
            return nil
        }
        switch first {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90, 0xF4 where second > 0x8F:
            return nil
        default: return length
        }
    }

    /// C1 controls but for NEL, and the two noncharacters that libyaml refuses.
    private static func isControl(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let bytes = Array(bytes)
        if bytes.count == 2 { return bytes[0] == 0xC2 && bytes[1] < 0xA0 && bytes[1] != 0x85 }
        return bytes == [0xEF, 0xBF, 0xBE] || bytes == [0xEF, 0xBF, 0xBF]
    }
}
