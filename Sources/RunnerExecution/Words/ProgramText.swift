import RunnerJob
import RunnerStorage

/// Programs that failed, or that could not be started, in words.
extension FaultText {
    func failure(_ end: ProgramResult.End, of run: ProgramRun) -> TaskFailure {
        let code =
            switch end {
            case .exited(let status): "exit_\(status)"
            case .signalled(let signal): "signal_\(signal)"
            case .timedOut: "timeout"
            case .stopped: "stopped"
            }
        return TaskFailure(
            .command, code: code, message: sentence(end, of: run.arguments.first?.text ?? ""),
            advice: "look at what it wrote, or name the statuses that are right in `expect: {status: …}`")
    }

    func sentence(_ end: ProgramResult.End, of name: String) -> String {
        let text =
            switch end {
            case .exited(let status): "\(name) ended with status \(status)"
            case .signalled(let signal): "\(name) was ended by signal \(signal)"
            case .timedOut(let limit): "\(name) took longer than \(limit.words)"
            case .stopped: "\(name) was stopped"
            }
        return redactor.text(text)
    }

    func notMade(_ output: PathOutput, by run: ProgramRun) -> TaskFailure {
        let path = output.path.text + (output.isFolder ? "/" : "")
        let name = run.arguments.first?.text ?? ""
        return TaskFailure(
            .command, message: redactor.text("\(name) ended well, but \(path) of `outputs` is not there"),
            advice: "correct `outputs`, or what the program does")
    }

    func failure(_ fault: ProgramFault) -> TaskFailure {
        let message: String
        var advice: String?
        var code: String?
        var faultClass = FaultClass.command
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
            if StorageError.isOfProcess(code: code) {
                // The program has no part in it, and the next one would fare the same.
                faultClass = .storage
                advice = StorageText.advice(.failed(.create, path: "", errno: errno))
            }
        }
        return TaskFailure(
            faultClass, code: code, message: redactor.text(message), advice: advice.map(redactor.text))
    }
}
