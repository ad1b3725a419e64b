public import RunnerPlan

extension Reason {
    /// Why a verdict is what it is, in words.
    public var words: String {
        switch self {
        case .notOnDisk: "not on disk"
        case .replaceAsked: "on disk, to be replaced"
        case .keepAsked: "on disk, to be kept as it is"
        case .existsAndMustNot: "on disk and must not be: will fail"
        case .sizeDiffers(let onDisk, let wanted):
            "on disk with \(onDisk) bytes, not the \(wanted) asked for"
        case .digestToCheck: "on disk, digest to be compared: will be read"
        case .listToRead: "on disk, digest to be compared with the checksum list: will be read"
        case .nothingToCompare: "on disk, but nothing says what it should hold"
        case .notAFile: "something that is not a file is there: will fail"
        case .symbolicLink: "a symbolic link is there: will be replaced"
        case .partOnDisk(let at): "at \(ByteCount.text(at))"
        }
    }
}
