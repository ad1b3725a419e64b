internal import Glibc

/// The media types that the shared MIME database knows by the names of files (shared-mime-info, `globs2`).
package struct MediaTypes: Sendable {
    private struct Entry {
        var type: String
        var weight: Int
    }

    /// By the suffix with its dot, in lower case.
    private var suffixes: [String: Entry] = [:]
    /// By the whole name, in lower case.
    private var names: [String: Entry] = [:]

    /// What is said of a file whose name says nothing (RFC 9110, section 8.3).
    package static let unknown = "application/octet-stream"

    /// Where the database lies (XDG base directories, `XDG_DATA_DIRS`).
    package static let standardPath = "/usr/share/mime/globs2"

    /// Reads the lines of a `globs2` file: `weight:type:glob[:flags]`.
    ///
    /// Globs with more than a leading `*` are few and name nothing that is sent; they are passed over.
    package init(_ bytes: [UInt8]) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let parts = String(decoding: line, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count >= 3, let weight = Int(parts[0]), parts[1].contains("/") else { continue }
            let glob = parts[2].lowercased()
            let entry = Entry(type: String(parts[1]), weight: weight)
            let isSuffix = glob.hasPrefix("*.")
            let literal = isSuffix ? String(glob.dropFirst()) : glob
            guard !literal.contains(where: { "*?[".contains($0) }) else { continue }
            if isSuffix {
                if suffixes[literal].map({ $0.weight < weight }) ?? true { suffixes[literal] = entry }
            } else if names[literal].map({ $0.weight < weight }) ?? true {
                names[literal] = entry
            }
        }
    }

    /// The database of this machine; one that knows nothing where there is none.
    package static let ofThisMachine = MediaTypes(read(standardPath))

    /// The type that a name says; the longest suffix that is known decides, upper and lower case alike.
    package func type(of name: String) -> String {
        let name = name.lowercased()
        if let entry = names[name] { return entry.type }
        var rest = Substring(name)
        while let dot = rest.firstIndex(of: ".") {
            if let entry = suffixes[String(rest[dot...])] { return entry.type }
            rest = rest[rest.index(after: dot)...]
        }
        return Self.unknown
    }

    private static func read(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
