/// How the files are read that a job file names: a way to the disk that the caller lends.
public struct JobFiles: Sendable {
    /// Hands over the content of a file piece by piece, until the closure that takes it answers false.
    ///
    /// The path is absolute, or ``standardInput``.
    public typealias Read =
        @Sendable (
            _ path: String, _ take: (ArraySlice<UInt8>) -> Bool
        ) throws(JobFileFault) -> Void

    /// The path of standard input.
    public static let standardInput = "-"

    /// No file can be read.
    public static let none = JobFiles { (_, _) throws(JobFileFault) in
        throw JobFileFault(reason: "no other files can be read here")
    }

    let read: Read

    public init(read: @escaping Read) {
        self.read = read
    }

    /// The whole content of a file.
    func content(of path: String, atMost ceiling: Int) throws(JobFileFault) -> [UInt8] {
        var content: [UInt8] = []
        try read(path) { piece in
            content += piece
            return content.count <= ceiling
        }
        if content.count > ceiling { throw JobFileFault(reason: "it has more than \(ceiling >> 20) MiB") }
        return content
    }
}

/// Why a file that a job file names could not be read, in words without the file's name.
public struct JobFileFault: Error, Hashable, Sendable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}
