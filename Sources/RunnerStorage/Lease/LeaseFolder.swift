internal import CLinux
internal import Glibc

/// The folder of the leases, and the calls on it that another process sees whole or not at all.
struct LeaseFolder {
    let state: StateFolder
    var path: String { state.path + "/leases" }

    /// A lease's file as it was found.
    enum Found: Equatable {
        case none
        /// It says who holds it, and when it was touched, in nanoseconds since 1970 by the clock of the file system.
        case held(LeaseHolder, touched: Int64)
        /// It is cut, empty, or something else.
        case damaged(touched: Int64)
    }

    /// Makes a file that was not there, with all its bytes.
    ///
    /// Where it can, it writes them before the file has its name (open(2), O_TMPFILE), so that whoever is killed leaves
    /// none that says nothing; elsewhere, as on NFS, behind it (O_EXCL, which holds there too).
    /// - Returns: the open file; nil when a file of that name is there.
    func create(_ name: String, _ bytes: [UInt8]) throws(LeaseError) -> Int32? {
        if let file = try openNameless() {
            guard Self.write(bytes, to: file) else {
                let error = failure(.write, name)
                close(file)
                throw error
            }
            do throws(SystemError) {
                try SystemFiles().link(file, as: "\(path)/\(name)", in: AT_FDCWD)
                return file
            } catch {
                close(file)
                if error.code == EEXIST { return nil }
            }
        }
        return try createByName(name, bytes)
    }

    private func createByName(_ name: String, _ bytes: [UInt8]) throws(LeaseError) -> Int32? {
        let file = try makingFolder {
            open("\(path)/\(name)", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        }
        guard file >= 0 else {
            if errno == EEXIST { return nil }
            throw failure(.create, name)
        }
        guard Self.write(bytes, to: file) else {
            let error = failure(.write, name)
            close(file)
            unlink("\(path)/\(name)")
            throw error
        }
        return file
    }

    /// Bytes that are few enough for one write(2).
    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
    }

    /// A file without a name in the folder; nil where such files cannot be had.
    private func openNameless() throws(LeaseError) -> Int32? {
        let file = try makingFolder {
            open(path, O_RDWR | O_DIRECTORY | O_CLOEXEC | Int32(runner_open_nameless), 0o666)
        }
        return file < 0 ? nil : file
    }

    /// Opens a file in the folder, which is made where it is not there.
    private func makingFolder(_ open: () -> Int32) throws(LeaseError) -> Int32 {
        let file = open()
        guard file < 0, errno == ENOENT else { return file }
        do throws(StorageError) {
            try state.makeFolders(for: "leases/")
        } catch {
            throw .storage(error)
        }
        return open()
    }

    /// Reads a lease; opening it asks a server anew for its time (close-to-open consistency of NFS).
    func find(_ name: String) throws(LeaseError) -> Found {
        let file = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if file < 0 {
            switch errno {
            case ENOENT, ESTALE: return .none
            case ELOOP: return .damaged(touched: linkTime(name))
            default: throw failure(.open, name)
            }
        }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &buffer, buffer.count)
        let touched = Self.time(of: file)
        guard count > 0, let holder = LeaseHolder(Array(buffer[..<count])) else { return .damaged(touched: touched) }
        return .held(holder, touched: touched)
    }

    /// The time by the clock of the file system: that of a file which is made and removed at once.
    func now() throws(LeaseError) -> Int64 {
        let name = "clock-\(getpid())-\(LedgerFile.randomDigits()).tmp"
        guard let file = try create(name, [0x0A]) else { return try now() }
        defer {
            close(file)
            unlink("\(path)/\(name)")
        }
        return Self.time(of: file)
    }

    func rename(_ name: String, to other: String) -> Bool {
        Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0
    }

    /// Gives a file its old name again, unless that is taken (link(2) never replaces).
    func putBack(_ name: String, as other: String) {
        _ = link("\(path)/\(name)", "\(path)/\(other)")
    }

    func remove(_ name: String) {
        unlink("\(path)/\(name)")
    }

    /// Time of the last change, in nanoseconds since 1970; 0 where it cannot be told.
    static func time(of file: Int32) -> Int64 {
        (try? SystemFiles().status(of: file))?.modified ?? 0
    }

    private func linkTime(_ name: String) -> Int64 {
        (try? SystemFiles().status(of: "\(path)/\(name)", in: AT_FDCWD))?.modified ?? 0
    }

    private func failure(_ operation: StorageError.Operation, _ name: String) -> LeaseError {
        let code = errno
        let path = "\(path)/\(name)"
        return .storage(.full(code, path: path) ?? .failed(operation, path: path, errno: code))
    }
}
