import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

/// Runs the program of a run task, and looks whether it has made what it is said to make.
struct RunPerformer: Performer {
    let run: ProgramRun
    let directory: JobDirectory
    /// The environment of this process, of which a program gets a little.
    let environment: [String: String]
    let words: FaultText

    /// Time between being asked to end and being ended.
    private static let grace = Duration.seconds(5)
    /// The same when the whole run is being stopped, which has a second.
    private static let graceOfStop = Duration.milliseconds(500)

    func perform(_ control: WorkControl) -> WorkResult {
        let root = directory.root
        let folder = run.folder.map { $0.path.isAbsolute ? $0.path.text : root + "/" + $0.path.text } ?? root
        var variables = ProgramOrder.cleanEnvironment(of: environment)
        for variable in run.environment { variables[variable.name] = variable.value }
        let order = ProgramOrder(run.arguments.map(\.text), environment: variables, folder: folder)
        do throws(ProgramFault) {
            let result = try RunningProgram.run(order) {
                switch control.stop {
                case nil: nil
                case .cancelled: Self.graceOfStop
                case .expired: Self.grace
                }
            }
            return ending(result)
        } catch {
            return WorkResult(.failed(words.failure(error)))
        }
    }

    /// Whether something lies at a path, and a folder where one is promised.
    private func isThere(_ output: PathOutput) -> Bool {
        let kind = directory.state(of: output.path)?.kind
        return output.isFolder ? kind == .folder : kind != nil
    }

    private func ending(_ result: ProgramResult) -> WorkResult {
        var ended = WorkResult(.succeeded)
        ended.output = result.output.total > 0 ? result.output.text : nil
        switch result.end {
        case .stopped, .timedOut: ended.ending = .stopped
        case .exited(let status) where run.statuses.contains(Int(status)):
            if let missing = run.outputs.first(where: { !isThere($0) }) {
                ended.ending = .failed(words.notMade(missing, by: run))
            }
        case .exited, .signalled: ended.ending = .failed(words.failure(result.end, of: run))
        }
        return ended
    }
}
