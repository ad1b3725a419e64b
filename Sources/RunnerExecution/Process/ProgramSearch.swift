import Glibc

/// Finds the file of a program, as execvp(3) does: a name with a slash is a path, any other is looked for in `PATH`.
enum ProgramSearch {
    /// - Parameter folder: where a relative path starts from.
    static func find(
        _ program: String, path: String?, folder: String
    ) throws(ProgramFault) -> String {
        if program.utf8.contains(UInt8(ascii: "/")) {
            let file = program.hasPrefix("/") ? program : folder + "/" + program
            switch look(at: file) {
            case .program: return file
            case .notExecutable: throw .notExecutable(path: program)
            case .nothing: throw .notFound(program: program, path: nil)
            }
        }
        let path = path ?? ProgramOrder.standardPath
        var forbidden: String?
        // An empty part means the current folder (environ(7)).
        for part in path.split(separator: ":", omittingEmptySubsequences: false) {
            let place = part.isEmpty ? folder : part.hasPrefix("/") ? String(part) : folder + "/" + part
            let file = place + "/" + program
            switch look(at: file) {
            case .program: return file
            case .notExecutable: forbidden = forbidden ?? file
            case .nothing: continue
            }
        }
        if let forbidden { throw .notExecutable(path: forbidden) }
        throw .notFound(program: program, path: path)
    }

    private enum Look { case program, notExecutable, nothing }

    private static func look(at file: String) -> Look {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return .nothing }
        return access(file, X_OK) == 0 ? .program : .notExecutable
    }
}
