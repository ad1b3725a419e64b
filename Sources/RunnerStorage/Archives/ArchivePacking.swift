internal import Glibc
internal import LibArchive
package import RunnerJob
package import RunnerPlan

/// Packs files into an archive, whose bytes depend on their names and content alone, unless the task asks otherwise.
package struct ArchivePacking: Sendable {
    private let creation: ArchiveCreation
    private let directory: JobDirectory
    private let identity: String

    /// What was made.
    package struct Outcome: Sendable {
        package var file: FileState
        package var digest: Digest
    }

    /// - Parameter identity: what tells the job from any other; see ``PartName``.
    package init(_ creation: ArchiveCreation, directory: JobDirectory, identity: String) {
        self.creation = creation
        self.directory = directory
        self.identity = identity
    }

    /// - Parameters:
    ///   - progress: told the bytes of files that were packed, and of all of them.
    ///   - isCancelled: asked often, though not while libarchive compresses what it has gathered, which may take long.
    ///   - begun: given what removes all that was written so far, from any thread, and says whether there was
    ///     anything; the packing fails then as soon as the compressor has let go.
    package func run(
        progress: @escaping (Int64, Int64) -> Void, isCancelled: @escaping () -> Bool,
        begun: (@escaping @Sendable () -> Bool) -> Void = { _ in }
    ) throws(PackingError) -> Outcome {
        let finds = try find(isCancelled: isCancelled)
        let part: PartFile
        let output: PackedOutput
        do throws(StorageError) {
            _ = try directory.checkDestination(creation.target)
            part = try directory.openPart(for: creation.target, identity: identity)
            output = PackedOutput(part, try DigestSet([.sha256]), isCancelled: isCancelled)
            begun { part.discard() }
        } catch {
            throw .storage(error)
        }
        do throws(PackingError) {
            try pack(finds, into: output, progress: progress, isCancelled: isCancelled)
            do throws(StorageError) {
                guard let digest = try output.digests.finalize()[.sha256] else {
                    throw .digestFailed(.sha256, text: "no digest")
                }
                return Outcome(file: try part.publish().state, digest: digest)
            } catch {
                throw .storage(error)
            }
        } catch {
            part.discard()
            throw error
        }
    }

    private func find(isCancelled: @escaping () -> Bool) throws(PackingError) -> [SourceWalk.Find] {
        var own: Set<ExactText> = [creation.target.path]
        do throws(StorageError) {
            let part = try PartName.of(creation.target.name, identity: identity)
            own.insert(ExactText(String(creation.target.text.dropLast(creation.target.name.count)) + part))
        } catch {
            throw .storage(error)
        }
        var walk = SourceWalk(creation, directory: directory, own: own, isCancelled: isCancelled)
        return try walk.find()
    }

    private func pack(
        _ finds: [SourceWalk.Find], into output: PackedOutput, progress: @escaping (Int64, Int64) -> Void,
        isCancelled: @escaping () -> Bool
    ) throws(PackingError) {
        let total = finds.reduce(Int64(0)) { sum, find in
            find.members.reduce(sum) { $0.addingReportingOverflow($1.size).partialValue }
        }
        let names = finds.lazy.flatMap(\.members)
        let isUnicode = names.allSatisfy { String(validating: $0.name, as: UTF8.self) != nil }
        let writer = try Self.attempt(nil) { () throws(ArchiveError) in
            try PackedSettings(creation, namesAreUnicode: isUnicode).writer(to: output)
        }
        var packer = MemberPacker(
            writer: writer, time: creation.time, format: creation.format, total: total, progress: progress,
            isCancelled: isCancelled)
        for find in finds {
            for member in find.members { try packer.pack(member, from: find.source) }
        }
        try Self.attempt(nil) { () throws(ArchiveError) in try writer.close() }
    }

    /// Turns what libarchive refuses into an error of this package.
    static func attempt<Result>(
        _ path: String?, _ body: () throws(ArchiveError) -> Result
    ) throws(PackingError) -> Result {
        do throws(ArchiveError) {
            return try body()
        } catch {
            switch error {
            case .failed(_, _, let text): throw .refused(path: path, text: text)
            case .stream(let cause as StorageError): throw .storage(cause)
            case .stream(let cause as PackingError): throw cause
            case .stream(let cause): throw .refused(path: path, text: "\(cause)")
            }
        }
    }
}

/// Where the bytes of an archive go: into a part file and a digest.
final class PackedOutput: ArchiveOutput {
    private let part: PartFile
    let digests: DigestSet
    private let isCancelled: () -> Bool

    init(_ part: PartFile, _ digests: DigestSet, isCancelled: @escaping () -> Bool) {
        self.part = part
        self.digests = digests
        self.isCancelled = isCancelled
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        // Formats and compressors write most of what they have gathered as they are closed.
        if isCancelled() { throw PackingError.cancelled }
        try part.write(bytes, at: part.length)
        try digests.update(bytes)
    }
}
