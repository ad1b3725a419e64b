internal import Glibc
package import RunnerJob

extension JobFiles {
    /// The files of the disk, standard input, and the programs of the system.
    package static func onDisk(_ context: Context) -> JobFiles {
        JobFiles(
            read: { (path, take) throws(JobFileFault) in
                do throws(FileFault) {
                    if path == standardInput {
                        _ = take(try context.readInput()[...])
                    } else {
                        try FileContent.pieces(of: path, named: path, take)
                    }
                } catch {
                    throw JobFileFault(
                        reason: error.reason, isMissing: error.code == ENOENT || error.code == ENOTDIR)
                }
            },
            run: { (words) throws(JobFileFault) in
                do throws(CommandOutput.Fault) {
                    return try CommandOutput.of(words, environment: context.environment)
                } catch {
                    throw JobFileFault(reason: error.reason)
                }
            })
    }
}
