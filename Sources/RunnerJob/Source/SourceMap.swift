/// The texts that a job was read from, so that a diagnostic can show the line it speaks of.
public struct SourceMap: Sendable {
    /// One text and the name it is shown under.
    public struct File: Sendable {
        /// The path as the user wrote it, or `<stdin>`.
        public var name: String
        /// The bytes of the file, after a byte order mark was taken off.
        public var bytes: [UInt8]

        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    public private(set) var files: [File] = []
    /// Values in the texts that must never be printed.
    public var secrets: Set<String> = []

    public init() {}

    /// Adds a text and returns the number that its places carry.
    public mutating func add(_ file: File) -> Int32 {
        files.append(file)
        return Int32(files.count - 1)
    }

    /// The name of the file that a place lies in.
    public func name(of place: Place) -> String {
        files.indices.contains(Int(place.file)) ? files[Int(place.file)].name : "<unknown>"
    }

    /// The name of the file that a place lies in, unless that is the job file itself.
    public func otherName(of place: Place) -> String? {
        place.file == 0 ? nil : name(of: place)
    }

    /// The source line that a place lies on, without its line break; nil where there is none.
    ///
    /// Reads the whole text; whoever shows many places uses ``DiagnosticRenderer``.
    public func line(of place: Place) -> String? {
        guard files.indices.contains(Int(place.file)), place.line > 0 else { return nil }
        return LineIndex(files[Int(place.file)].bytes).line(Int(place.line))
    }
}
