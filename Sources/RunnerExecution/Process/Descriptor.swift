import Glibc

/// An open file of this process, closed with its owner.
struct Descriptor: ~Copyable {
    /// -1 once it is closed, which poll(2) passes over.
    private(set) var number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        if number >= 0 { Glibc.close(number) }
    }

    var isOpen: Bool { number >= 0 }

    mutating func close() {
        if number >= 0 { Glibc.close(number) }
        number = -1
    }

    /// Hands the open file over to another owner.
    mutating func take() -> Descriptor {
        defer { number = -1 }
        return Descriptor(number)
    }
}

/// The two ends of a pipe; neither is inherited by programs.
final class Pipe {
    var reading: Descriptor
    var writing: Descriptor

    init() throws(ProgramFault) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(call: "pipe", errno: errno) }
        reading = Descriptor(ends[0])
        writing = Descriptor(ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
}

/// Texts in the form in which C takes lists of them: pointers, the last one NULL.
enum CStrings {
    /// The pointers hold for as long as `body` runs.
    static func with<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { buffer in
            // An array that has a last element has an address.
            body(buffer.baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped)
        }
    }
}
