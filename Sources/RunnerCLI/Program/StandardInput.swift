internal import Synchronization

/// Standard input, which can be read once, for all who ask for it: each gets the whole of it.
final class StandardInput: Sendable {
    private let bytes = Mutex<[UInt8]?>(nil)

    func content() throws(FileFault) -> [UInt8] {
        try bytes.withLock { bytes throws(FileFault) in
            if let bytes { return bytes }
            let content = try FileContent.read(0, named: "standard input")
            bytes = content
            return content
        }
    }
}
