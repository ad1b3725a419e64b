/// What `--version` prints.
package enum VersionText {
    /// Version of the program, and of the libraries that it found.
    package static var line: String { "runner \(Program.version)" }
}
