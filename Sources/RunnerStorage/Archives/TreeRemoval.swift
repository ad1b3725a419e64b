internal import Glibc

/// Removes a folder with all that lies in it, without following a link.
enum TreeRemoval {
    /// - Parameters:
    ///   - name: a file, a link or a folder; nothing is done when there is none.
    ///   - folder: the open folder that it lies in.
    static func remove(_ name: [UInt8], in folder: Int32) throws(SystemError) {
        do {
            try RawName.remove(name, in: folder, isFolder: false)
            return
        } catch {
            if error.code == ENOENT { return }
            // unlink(2) of a folder is EISDIR on Linux, and EPERM by POSIX.
            guard error.code == EISDIR || error.code == EPERM else { throw error }
        }
        try removeFolder(name, in: folder)
    }

    /// Goes down without recursion, since a tree may be deeper than the stack, and with two descriptors at a time.
    private static func removeFolder(_ name: [UInt8], in folder: Int32) throws(SystemError) {
        var path: [[UInt8]] = [name]
        var current = try open(name, in: folder)
        defer { close(current) }
        while true {
            if let below = try empty(current) {
                let next = try open(below, in: current)
                close(current)
                current = next
                path.append(below)
                continue
            }
            // The folder is empty: up, and away with it.
            guard path.count > 1, let last = path.popLast() else {
                try RawName.remove(name, in: folder, isFolder: true)
                return
            }
            let above = try repeating { openat(current, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            close(current)
            current = above
            try RawName.remove(last, in: current, isFolder: true)
        }
    }

    /// Opens a folder so that it can be emptied, whatever its mode.
    private static func open(_ name: [UInt8], in folder: Int32) throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        do {
            let descriptor = try RawName.open(name, in: folder, flags: flags)
            if faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) != 0 { fchmod(descriptor, 0o700) }
            return descriptor
        } catch {
            guard error.code == EACCES else { throw error }
            _ = RawName.with(name) { fchmodat(folder, $0, 0o700, 0) }
            return try RawName.open(name, in: folder, flags: flags)
        }
    }

    /// Removes what is no folder; returns the first folder that is in the way, nil when nothing is left.
    private static func empty(_ folder: Int32) throws(SystemError) -> [UInt8]? {
        var below: [UInt8]?
        for name in try RawName.names(in: folder) {
            do throws(SystemError) {
                try RawName.remove(name, in: folder, isFolder: false)
            } catch {
                switch error.code {
                case ENOENT: continue
                case EISDIR, EPERM:
                    // A folder that is empty goes at once.
                    do throws(SystemError) {
                        try RawName.remove(name, in: folder, isFolder: true)
                    } catch {
                        guard error.code == ENOTEMPTY || error.code == EEXIST else { throw error }
                        below = name
                    }
                default: throw error
                }
            }
        }
        return below
    }
}
