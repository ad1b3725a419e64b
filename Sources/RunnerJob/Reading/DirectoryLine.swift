/// Finds a job's directory without reading the job.
public enum DirectoryLine {
    private static let key = Array("\ndirectory:".utf8)

    /// The directory that a line such as `directory: out` names, else the job file's folder.
    ///
    /// That is how nearly all job files write it; of one that writes it otherwise the answer is wrong, and whoever asks
    /// must bear it.
    /// - Parameter folder: absolute folder of the job file.
    public static func directory(of job: [UInt8], in folder: String) -> String {
        guard let written = value(in: job) else { return folder }
        let path = written.utf8.first == UInt8(ascii: "/") ? written : folder + "/" + written
        return (try? TargetPath.normalize(path)) ?? folder
    }

    private static func value(in job: [UInt8]) -> String? {
        let key = job.starts(with: key.dropFirst()) ? key.dropFirst() : key[...]
        guard let start = position(of: key, in: job) else { return nil }
        let line = job[(start + key.count)...].prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line, as: UTF8.self).trimmingBlanks()
        for quote in ["\"", "'"] where text.hasPrefix(quote) {
            return text.dropFirst().split(separator: quote).first.map(String.init)
        }
        return text.isEmpty ? nil : text.split(separator: " #").first.map { String($0).trimmingBlanks() }
    }

    private static func position(of key: ArraySlice<UInt8>, in job: [UInt8]) -> Int? {
        guard job.count >= key.count else { return nil }
        return (0...(job.count - key.count)).first { start in
            job[start] == key[key.startIndex] && job[start..<(start + key.count)].elementsEqual(key)
        }
    }
}
