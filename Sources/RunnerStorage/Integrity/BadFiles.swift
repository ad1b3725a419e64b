package import RunnerJob

/// A folder for files that were not what was wanted, so that somebody can look into them.
package struct BadFiles: Sendable {
    private let directory: JobDirectory

    /// - Parameter folder: absolute path; made when the first file comes.
    package init(folder: String) {
        directory = JobDirectory(root: folder)
    }

    /// Copies a file there, under the name of its destination, a piece of its digest, and `.bad`.
    ///
    /// The same bytes of the same file are kept once. A copy, because the folder may lie on another disk.
    ///
    /// - Parameter digest: any digest of the bytes.
    /// - Returns: what became of it.
    package func keep(_ file: some ReadableFile, named name: String, digest: Digest?) -> FileEvidence.Kept {
        do throws(StorageError) {
            var known = digest
            if known == nil { known = try FileHasher.digests(of: file, by: [.sha256])?[.sha256] }
            let target = TargetPath(normalized: Self.safeName(name, mark: String((known?.hex ?? "").prefix(12))))
            let part = try directory.openPart(for: target, identity: "bad")
            try Self.copy(file, into: part)
            try part.publish()
            return .at(path: directory.root + "/" + target.text)
        } catch {
            return .failed(error)
        }
    }

    /// No name of a job's file holds a slash; a long one is cut so that mark and suffix fit (NAME_MAX, 255 bytes).
    private static func safeName(_ name: String, mark: String) -> String {
        var start = name
        while start.utf8.count > 200 { start.removeLast() }
        return "\(start).\(mark).bad"
    }

    private static func copy(_ file: some ReadableFile, into part: PartFile) throws(StorageError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileHasher.chunk, alignment: 16)
        defer { buffer.deallocate() }
        let length = file.length
        var done: Int64 = 0
        while done < length {
            let read = try file.read(into: buffer, at: done)
            if read == 0 { break }
            try part.write(UnsafeRawBufferPointer(rebasing: buffer[..<read]), at: done)
            done += Int64(read)
        }
    }
}
