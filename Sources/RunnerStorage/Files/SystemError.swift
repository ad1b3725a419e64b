/// The `errno` of a failed system call (errno(3)).
package struct SystemError: Error, Hashable, Sendable {
    package var code: Int32

    package init(_ code: Int32) {
        self.code = code
    }
}
