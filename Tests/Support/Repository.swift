/// The places of this repository.
package enum Repository {
    /// The absolute path of the top folder.
    package static var root: String {
        // This file lies in Tests/Support.
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    }

    /// All files below a folder of the repository, as paths relative to the top, sorted.
    package static func files(under folder: String) -> [String] {
        DiskFile.entries("\(root)/\(folder)").flatMap { name in
            let path = "\(folder)/\(name)"
            return DiskFile.isFolder("\(root)/\(path)") ? files(under: path) : [path]
        }
    }

    /// The text of a file of the repository; empty when it cannot be read.
    package static func text(_ path: String) -> String {
        DiskFile.text("\(root)/\(path)") ?? ""
    }
}
