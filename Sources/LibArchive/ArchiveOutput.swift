internal import CLibArchive

/// Where the bytes of an archive go, from the first to the last.
package protocol ArchiveOutput: AnyObject {
    /// Takes all of the bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// What libarchive's callback is given: the output, and what went wrong in it.
final class OutputContext {
    let output: any ArchiveOutput
    var failure: (any Error)?

    init(_ output: any ArchiveOutput) {
        self.output = output
    }
}

func writeOutput(
    _: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
    guard let context else { return -1 }
    let desk = Unmanaged<OutputContext>.fromOpaque(context).takeUnretainedValue()
    // After a failure libarchive writes once more as it is closed; nothing of that is wanted.
    guard desk.failure == nil else { return -1 }
    do {
        try desk.output.write(UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    } catch {
        desk.failure = error
        return -1
    }
}
