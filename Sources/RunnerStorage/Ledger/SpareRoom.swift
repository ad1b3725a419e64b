internal import RunnerJob

/// A little of the disk that is kept while a run lasts, so that its end can be told on a disk that has become full.
package struct SpareRoom: Sendable {
    /// A few pages of the ledger and of its log.
    private static let size = 64 << 10

    private let folder: StateFolder
    private let name: String

    /// - Parameter job: the job's identity; what a killed run leaves, the next one of the job takes over.
    package init(folder: StateFolder, job: String) {
        self.folder = folder
        var hash = Fingerprint()
        hash.add(job)
        name = "spare-\(hash.digits).tmp"
    }

    /// Takes the room; where there is none, none can be kept.
    package func take() {
        try? folder.replace(name, with: [UInt8](repeating: 0, count: Self.size))
    }

    /// Gives it to what is written next.
    package func release() {
        folder.remove(name)
    }
}
