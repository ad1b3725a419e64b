internal import RunnerJob
internal import Synchronization

/// The name of a part file: `.NAME.xxxxxxxx.part`, beside the destination.
///
/// The hexadecimal digits come from the job's identity, so that two jobs never share a part file.
package enum PartName {
    /// Longest name that Linux file systems take, in bytes.
    static let limit = 255

    /// - Parameters:
    ///   - name: the last part of the destination.
    ///   - identity: what tells this job from any other, such as the absolute path of its file.
    /// - Throws: when libcrypto has no SHA-256.
    package static func of(_ name: String, identity: String) throws(StorageError) -> String {
        let long = ".\(name)\(try suffix(identity: identity))"
        if long.utf8.count <= limit { return long }
        return ".\(try digits(identity + "\u{0}" + name, bytes: 16)).part"
    }

    /// A digest for every small file would be a good part of what the file costs; a run has one identity.
    private static let last = Mutex<(identity: String, suffix: String)?>(nil)

    /// What the names of a job's part files end in, but for names too long.
    static func suffix(identity: String) throws(StorageError) -> String {
        if let last = last.withLock({ $0 }), last.identity == identity { return last.suffix }
        let suffix = ".\(try digits(identity, bytes: 4)).part"
        last.withLock { $0 = (identity, suffix) }
        return suffix
    }

    private static func digits(_ text: String, bytes: Int) throws(StorageError) -> String {
        let digest = try DigestSet.digest(of: Array(text.utf8), by: .sha256)
        return String(digest.hex.prefix(2 * bytes))
    }
}
