/// An open folder; it is closed with the last reference.
///
/// It is open by O_PATH: names below it can be reached, which needs no permission to list it.
final class Folder: Sendable {
    let descriptor: Int32
    private let files: any FileOperations

    /// Takes over the descriptor.
    init(_ descriptor: Int32, files: any FileOperations) {
        self.descriptor = descriptor
        self.files = files
    }

    deinit {
        // Nothing was written through it, so that nothing can be lost.
        try? files.close(descriptor)
    }
}
