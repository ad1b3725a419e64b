package import RunnerJob

extension JobFiles {
    /// The files of the disk, and standard input.
    package static func onDisk(_ context: Context) -> JobFiles {
        JobFiles { (path, take) throws(JobFileFault) in
            do throws(FileFault) {
                if path == standardInput {
                    _ = take(try context.readInput()[...])
                } else {
                    try FileContent.pieces(of: path, named: path, take)
                }
            } catch {
                throw JobFileFault(reason: error.reason)
            }
        }
    }
}
