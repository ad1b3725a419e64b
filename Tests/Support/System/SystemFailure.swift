import Glibc

/// A system or OpenSSL call that failed, with the system's own words for it.
package struct SystemFailure: Error, CustomStringConvertible {
    /// The call, and its subject where it has one.
    package let call: String
    /// The value of `errno` after the call, 0 where the call does not set it.
    package let code: Int32

    /// Records a failed call; by default with the `errno` it left behind.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String {
        code == 0 ? "\(call) failed" : "\(call): \(String(cString: strerror(code)))"
    }
}
