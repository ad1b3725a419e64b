import RunnerJob
import RunnerStorage

/// Programs that failed, or that could not be started, in words.
extension FaultText {
    func failure(_ end: ProgramResult.End, of run: ProgramRun) -> TaskFailure {
        let name = run.arguments.first?.text ?? ""
        let code: String, message: String
        switch end {
        case .exited(let status):
            code = "exit_\(status)"
            message = "\(name) ended with status \(status)"
        case .signalled(let signal):
            code = "signal_\(signal)"
            message = "\(name) was ended by signal \(signal)"
        case .timedOut(let limit):
            code = "timeout"
            message = "\(name) took longer than \(limit.words)"
        case .stopped:
            code = "stopped"
            message = "\(name) was stopped"
        }
        return TaskFailure(
            .command, code: code, message: redactor.text(message),
            advice: "look at what it wrote, or name the statuses that are right in `expect: {status: …}`")
    }

    func notMade(_ path: TargetPath, by run: ProgramRun) -> TaskFailure {
        let name = run.arguments.first?.text ?? ""
        return TaskFailure(
            .command, message: redactor.text("\(name) ended well, but \(path.text) of `outputs` is not there"),
            advice: "correct `outputs`, or what the program does")
    }

    func failure(_ fault: ProgramFault) -> TaskFailure {
        let message: String
        var advice: String?
        var code: String?
        switch fault {
        case .notFound(let program, let path?):
            message = "there is no program \(program) in \(path)"
            advice = "install it, give its path, or name a PATH in `env`"
        case .notFound(let program, nil):
            message = "there is no program \(program)"
            advice = "a relative path starts from `cwd`, else from the job's directory"
        case .notExecutable(let path):
            message = "\(path) may not be executed"
            advice = "make it executable with chmod, or name its interpreter first"
        case .noInterpreter(let path):
            message = "\(path) cannot be started: the interpreter that it names in its first line is not there"
        case .noProgram(let path):
            message = "\(path) is no program that this machine can run"
            advice = "a script needs a first line such as #!/bin/sh, or its interpreter as the first argument"
        case .folder(let path, let errno):
            message = "the working folder \(path) cannot be entered: \(StorageText.systemText(errno))"
        case .system(let call, let errno):
            message = "the program could not be started: \(call): \(StorageText.systemText(errno))"
            code = ErrnoName.of(errno)
        }
        return TaskFailure(
            .command, code: code, message: redactor.text(message), advice: advice.map(redactor.text))
    }
}
