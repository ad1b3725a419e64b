/// Why libarchive could not go on.
package enum ArchiveError: Error {
    /// The library refused.
    ///
    /// `call` is the C function, `code` the errno that it gives as the reason (archive_errors(3)), and `text` its own
    /// words, which never hold a password.
    case failed(call: String, code: Int32, text: String)
    /// The bytes could not be read or written, for a reason that is not the library's.
    case stream(any Error)
}
