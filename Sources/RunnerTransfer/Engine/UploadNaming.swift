internal import LibCurl
internal import RunnerJob

/// How a server that keeps what has come of a file lets it appear as a whole.
package enum UploadNaming: Hashable, Sendable {
    /// The bytes go to this name in the same folder; the file gets its own once it is whole.
    case staged(String)
    /// The bytes go where the file belongs, as the server does not rename; what was left under this name goes.
    case direct(leftover: String)
    /// Nothing is sent; what was left under this name goes.
    case removal(String)
}

/// What an FTP or SFTP server is asked for the sake of an ``UploadNaming``.
struct NamingCommands: Hashable {
    /// Where the request goes.
    var url: String
    /// What follows when it has gone well, in the form of `CURLOPT_POSTQUOTE(3)`.
    var afterwards: [String]

    /// - Returns: nil for a URL that names no file, or one that is no text; libcurl has its own word on those.
    init?(_ naming: UploadNaming, for target: SourceURL) {
        do throws(URLError) {
            var parts = try URLParts(target.url.text)
            guard let place = try Place(&parts, isFTP: target.origin.scheme == "ftp") else { return nil }
            switch naming {
            case .staged(let name):
                try parts.set(.path, to: place.folder + name + place.type)
                afterwards = place.rename(name)
            case .direct(let name):
                try parts.set(.path, to: place.path + place.type)
                afterwards = ["*" + place.remove(name)]
            case .removal(let name):
                try parts.set(.path, to: place.folder)
                afterwards = ["*" + place.remove(name)]
            }
            guard let url = try parts.text(.url) else { return nil }
            self.url = url
        } catch {
            return nil
        }
    }

    /// A URL's path, as libcurl reads it.
    private struct Place {
        /// As it is written.
        let path: String
        /// `;type=i` and the like (RFC 1738, section 3.2.2); libcurl looks for it anywhere in the path of an FTP URL.
        let type: String
        /// As it is written, with the slash at its end.
        let folder: String
        /// The folder and the name as the server knows them.
        private let decodedFolder: String
        private let name: String
        private let isFTP: Bool

        init?(_ parts: inout URLParts, isFTP: Bool) throws(URLError) {
            guard let whole = try parts.text(.path) else { return nil }
            let isType = { (start: String.Index) in whole.utf8[start...].starts(with: ";type=".utf8) }
            let end = isFTP ? whole.utf8.indices.first(where: isType) ?? whole.endIndex : whole.endIndex
            type = String(whole[end...])
            path = String(whole[..<end])
            try parts.set(.path, to: path)
            // An encoded slash parts folders like any other, as libcurl decodes the path before it takes it apart.
            guard let decoded = try parts.text(.path, .decoded), !decoded.unicodeScalars.contains("\u{FFFD}"),
                let slash = decoded.utf8.lastIndex(of: UInt8(ascii: "/")), let folderEnd = Self.endOfFolder(path)
            else { return nil }
            folder = String(path[..<folderEnd])
            name = String(decoded[decoded.utf8.index(after: slash)...])
            guard !name.isEmpty else { return nil }
            let above = String(decoded[..<decoded.utf8.index(after: slash)])
            // Below the login folder (curl(1), `sftp://host/~/`), which is where a path without a slash begins.
            decodedFolder = !isFTP && above.utf8.starts(with: "/~/".utf8) ? String(above.dropFirst(3)) : above
            self.isFTP = isFTP
        }

        /// The place behind the last slash, which may be percent-encoded.
        private static func endOfFolder(_ path: String) -> String.Index? {
            path.indices.reversed().lazy.compactMap { start -> String.Index? in
                if path[start] == "/" { return path.index(after: start) }
                return path[start...].prefix(3).lowercased() == "%2f" ? path.index(start, offsetBy: 3) : nil
            }.first
        }

        /// libcurl is in the folder when an FTP upload ends; the paths of SFTP are whole.
        ///
        /// RNTO replaces what is there, at servers on POSIX systems; SFTP's rename does not (OpenSSH speaks version 3).
        func rename(_ staged: String) -> [String] {
            guard !isFTP else { return ["RNFR \(staged)", "RNTO \(name)"] }
            let target = Self.quoted(decodedFolder + name)
            return ["*rm \(target)", "rename \(Self.quoted(decodedFolder + staged)) \(target)"]
        }

        func remove(_ staged: String) -> String {
            isFTP ? "DELE \(staged)" : "rm \(Self.quoted(decodedFolder + staged))"
        }

        /// A path as libcurl's commands for SFTP read it.
        private static func quoted(_ path: String) -> String {
            var text = "\""
            for scalar in path.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            return text + "\""
        }
    }
}
