internal import CLibArchive

/// Where the bytes of an archive come from.
package protocol ArchiveInput: AnyObject {
    /// The next bytes, none at the end; they stay where they are until the next call.
    func read() throws -> UnsafeRawBufferPointer
    /// The length, when any place can be gone to; nil for what can only be read from start to end.
    var seekableLength: Int64? { get }
    /// Goes to a byte; called only when there is a ``seekableLength``.
    func seek(to offset: Int64) throws
    /// The byte that ``read()`` gives next.
    var position: Int64 { get }
}

/// What libarchive's callbacks are given: the input, and what went wrong in it.
///
/// An error must not be thrown through C, so that it is kept here until the library has returned.
final class InputContext {
    let input: any ArchiveInput
    var failure: (any Error)?

    init(_ input: any ArchiveInput) {
        self.input = input
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> InputContext? {
        pointer.map { Unmanaged<InputContext>.fromOpaque($0).takeUnretainedValue() }
    }
}

func readInput(
    _: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
    guard let context = InputContext.of(context) else { return -1 }
    do {
        let bytes = try context.input.read()
        buffer?.pointee = bytes.baseAddress
        return bytes.count
    } catch {
        context.failure = error
        return -1
    }
}

func skipInput(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ count: Int64) -> Int64 {
    guard let context = InputContext.of(context), let length = context.input.seekableLength else { return 0 }
    let position = context.input.position
    let skipped = max(0, min(count, length - position))
    do {
        try context.input.seek(to: position + skipped)
        return skipped
    } catch {
        context.failure = error
        return Int64(ARCHIVE_FATAL)
    }
}

func seekInput(
    _: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ offset: Int64, _ origin: Int32
) -> Int64 {
    guard let context = InputContext.of(context), let length = context.input.seekableLength else {
        return Int64(ARCHIVE_FATAL)
    }
    let base: Int64
    switch origin {
    case 0: base = 0
    case 1: base = context.input.position
    default: base = length
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return Int64(ARCHIVE_FATAL) }
    do {
        try context.input.seek(to: target)
        return target
    } catch {
        context.failure = error
        return Int64(ARCHIVE_FATAL)
    }
}
