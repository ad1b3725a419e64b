public import RunnerJob
public import RunnerPlan

extension Reason {
    /// Why a verdict is what it is, in words; paths and what servers sent are masked.
    public func words(masked redactor: Redactor) -> String { redactor.text(words) }

    var words: String {
        switch self {
        case .notOnDisk: "not on disk"
        case .replaceAsked: "on disk, to be replaced"
        case .keepAsked: "on disk, to be kept as it is"
        case .existsAndMustNot: "on disk and must not be: will fail"
        case .sizeDiffers(let onDisk, let wanted):
            "on disk with \(onDisk) bytes, not the \(wanted) asked for"
        case .digestToCheck: "on disk, digest to be compared: will be read"
        case .listToRead: "on disk, digest to be compared with the checksum list"
        case .nothingToCompare: "on disk, but nothing says what it should hold"
        case .modeDiffers: "on disk as asked for, but with another mode"
        case .notAFile: "something that is not a file is there: will fail"
        case .symbolicLink: "a symbolic link is there: will be replaced"
        case .partOnDisk(let at, let validator):
            "at \(ByteCount.text(at))" + (validator.map { " (\(Self.named($0)) to be asked with)" } ?? "")
        case .asRecorded(let since): "digest known, file unchanged since \(Self.day(since))"
        case .changedSince(let time, _): "changed since it was put there on \(Self.day(time))"
        case .notSynced: "the machine started anew before the file was surely on the disk"
        case .digestNotRecorded: "on disk, this digest not computed yet: will be read"
        case .otherDigestRecorded: "on disk with another digest"
        case .rehashAsked: "on disk, nothing recorded is to be trusted"
        case .entityTagToAsk(let tag): "ETag \(tag.printable), server to be asked"
        case .dateToAsk(let date): "of \(date.printable), server to be asked"
        case .noValidator: "on disk, but the server sent nothing to ask with"
        case .sourceChanged: "on disk, but from another URL"
        case .notDoneBefore: "not done before"
        case .alwaysDone: "done on every run, as it names no files"
        case .askedOtherwise(let since): "the job asks for something else than on \(Self.day(since))"
        case .resultMissing(let path): "\(path.text.printable) is not on disk"
        case .resultChanged(let path): "\(path.text.printable) is not as it was left"
        case .resultNotSynced: "the machine started anew before the result was surely on the disk"
        case .inputChanged(let path): "\(path.text.printable) has changed"
        case .inputToCome(let path): "once \(path.text.printable) is there"
        case .inputMissing(let path): "\(path.text.printable) is not on disk: will fail unless it comes"
        case .asDone(let since): "done on \(Self.day(since)), nothing changed since"
        }
    }

    /// A validator with what it is; entity tags stand in quotes (RFC 9110, section 8.8.3).
    private static func named(_ validator: String) -> String {
        (validator.hasSuffix("\"") ? "ETag " : "of ") + validator.printable
    }

    /// The day of a time in seconds since 1970, in UTC: the first ten characters of RFC 3339.
    private static func day(_ seconds: Int64) -> String {
        // Within the years 0 to 9999, so that milliseconds fit.
        String(Timestamp.text(min(max(seconds, -62_167_219_200), 253_402_300_799) * 1000).prefix(10))
    }
}
