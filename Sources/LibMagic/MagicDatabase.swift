internal import CLibMagic

/// Tells by libmagic what a file is, from its first bytes.
///
/// The library is loaded by the first value that is made.
package struct MagicDatabase: ~Copyable {
    private var magic: runner_magic

    /// - Returns: nil where libmagic or its database is not installed.
    package init?() {
        var magic = runner_magic()
        guard runner_magic_open(&magic) == 0 else { return nil }
        self.magic = magic
    }

    deinit {
        withUnsafePointer(to: magic) { runner_magic_close($0) }
    }

    /// The media type of a file that begins with these bytes; nil where libmagic fails.
    package func mediaType(of bytes: [UInt8]) -> String? {
        withUnsafePointer(to: magic) { magic in
            bytes.withUnsafeBytes { runner_magic_type(magic, $0.baseAddress, $0.count) }
        }.map { String(cString: $0) }
    }
}
