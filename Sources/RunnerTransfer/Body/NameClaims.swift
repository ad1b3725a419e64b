package import RunnerJob
internal import Synchronization

/// The paths that the tasks of a run write, so that no server can give one task the file of another.
package final class NameClaims: Sendable {
    private let owners: Mutex<[ExactText: Int]>

    /// - Parameter planned: paths that are known before the run, with the tasks that write them.
    package init(_ planned: [ExactText: Int]) {
        owners = Mutex(planned)
    }

    /// Gives a path to a task unless another has it.
    package func claim(_ path: TargetPath, for task: Int) -> Bool {
        owners.withLock { owners in
            if let owner = owners[path.path] { return owner == task }
            owners[path.path] = task
            return true
        }
    }
}

/// How a file comes to a name that the server gives.
package struct Naming: Sendable {
    package var name: ServerName
    /// What is done with a file of that name that is there already.
    package var exists: Download.ExistingFile
    package var task: Int
    package var claims: NameClaims

    package init(_ name: ServerName, exists: Download.ExistingFile, task: Int, claims: NameClaims) {
        self.name = name
        self.exists = exists
        self.task = task
        self.claims = claims
    }
}
