import RunnerJob
import RunnerStorage
import RunnerTransfer

/// What the machine has refused so far: where nothing more is begun, and why.
struct Parking {
    /// Devices that are full, out of order or read-only.
    private(set) var devices: Set<UInt64> = []
    /// Whether the process itself is short of something, wherever a file is to go.
    private(set) var isWhole = false
    /// The first refusal, for the run's reason.
    private(set) var first: StorageError?
    /// The same in words, where a task of a local kind was first.
    private(set) var message: String?
    /// Bytes that were missing, where all refusals so far were for want of space.
    private(set) var missing: Int64?

    /// Adds what a task of a local kind met, of which the words are left.
    ///
    /// - Parameter isOfProcess: whether it would meet the same elsewhere.
    mutating func add(_ message: String, devices: [UInt64], isOfProcess: Bool) {
        if first == nil, self.message == nil { self.message = message }
        if isOfProcess { isWhole = true } else { self.devices.formUnion(devices) }
    }

    /// - Parameter device: where the file was to go; nil when it cannot be told.
    mutating func add(_ error: StorageError, device: UInt64?) {
        if first == nil {
            first = error
            missing = error.missingBytes
        } else if let more = error.missingBytes, let known = missing {
            missing = known.addingReportingOverflow(more).partialValue
        }
        guard !error.isOfProcess, let device else {
            isWhole = true
            return
        }
        devices.insert(device)
    }
}

extension RunExecutor {
    /// Begins nothing more where the machine has refused; what is under way elsewhere goes on.
    func park(_ error: StorageError, at path: TargetPath) {
        guard error.faultClass == .storage else { return }
        park()
        parking.add(error, device: directory.device(of: path))
    }

    /// The same for a task of a local kind.
    func park(_ failure: TaskFailure, of task: JobTask) {
        guard failure.faultClass == .storage else { return }
        park()
        parking.add(
            failure.message, devices: task.action.work.outputs.compactMap { directory.device(of: $0.path) },
            isOfProcess: StorageError.isOfProcess(code: failure.code))
    }

    /// Whether a task must not be begun, because the machine has refused another one there.
    func isParked(_ task: JobTask) -> Bool {
        if parking.isWhole { return true }
        guard !parking.devices.isEmpty else { return false }
        return task.action.work.outputs.contains { output in
            directory.device(of: output.path).map(parking.devices.contains) ?? false
        }
    }

    /// Ends a task that was started by what the disk refused.
    func fail(_ index: Int, _ error: StorageError, at path: TargetPath) {
        park(error, at: path)
        fail(index, words.failure(error))
    }
}
