internal import Glibc

/// Symbolic names of the errors that file calls return (errno(3)).
package enum ErrnoName {
    /// The name, or `errno_N` for a number that has none here.
    package static func of(_ code: Int32) -> String {
        names[code] ?? "errno_\(code)"
    }

    private static let names: [Int32: String] = [
        EPERM: "EPERM", ENOENT: "ENOENT", EIO: "EIO", ENXIO: "ENXIO", EBADF: "EBADF", ENOMEM: "ENOMEM",
        EACCES: "EACCES", EBUSY: "EBUSY", EEXIST: "EEXIST", EXDEV: "EXDEV", ENODEV: "ENODEV", ENOTDIR: "ENOTDIR",
        EISDIR: "EISDIR", EINVAL: "EINVAL", ENFILE: "ENFILE", EMFILE: "EMFILE", ETXTBSY: "ETXTBSY", EFBIG: "EFBIG",
        ENOSPC: "ENOSPC", ESPIPE: "ESPIPE", EROFS: "EROFS", EMLINK: "EMLINK", ENAMETOOLONG: "ENAMETOOLONG",
        ELOOP: "ELOOP", EOVERFLOW: "EOVERFLOW", EOPNOTSUPP: "EOPNOTSUPP", ESTALE: "ESTALE", EDQUOT: "EDQUOT",
        ENOSYS: "ENOSYS", ENOTEMPTY: "ENOTEMPTY",
    ]
}
