import RunnerJob
import RunnerTransfer
import Testing

/// What a reply to a request for the rest of a file means (transfer reference, "Resume").
@Suite struct ResumeRulesTests {
    static func meaning(_ head: ReplyHead, _ goal: RequestGoal = .rest()) -> ReplyMeaning {
        ReplyRules.meaning(of: head, for: goal, expecting: [])
    }

    static func body(_ start: Int64, skip: Int64 = 0, length: Int64?, total: Int64?) -> ReplyMeaning {
        .body(.init(start: start, skip: skip, length: length, total: total))
    }

    // MARK: - 206

    @Test func theRestFits() {
        let head = Sample.head(206, length: 500, range: "bytes 500-999/1000", etag: "\"v1\"")
        #expect(Self.meaning(head) == Self.body(500, length: 500, total: 1000))
    }

    @Test func aTotalThatIsNotToldIsTheOneKnown() {
        let head = Sample.head(206, range: "bytes 500-999/*")
        #expect(Self.meaning(head) == Self.body(500, length: 500, total: 1000))
        #expect(Self.meaning(head, .rest(of: nil)) == Self.body(500, length: 500, total: nil))
    }

    @Test func anEarlierStartIsPassedOverUpToTheOffset() {
        let head = Sample.head(206, range: "bytes 400-999/1000")
        #expect(Self.meaning(head) == Self.body(500, skip: 100, length: 600, total: 1000))
        let whole = Sample.head(206, range: "bytes 0-999/1000")
        #expect(Self.meaning(whole) == Self.body(500, skip: 500, length: 1000, total: 1000))
    }

    @Test func lessThanTheRestIsTakenToo() {
        let head = Sample.head(206, range: "bytes 500-699/1000")
        #expect(Self.meaning(head) == Self.body(500, length: 200, total: 1000))
    }

    @Test(
        arguments: [
            nil, "rubbish", "bytes */1000", "bytes 501-999/1000", "bytes 0-499/1000", "bytes 500-1999/2000",
            "bytes 500-899/900",
        ] as [String?])
    func aPartThatDoesNotFitStartsOver(_ range: String?) {
        #expect(Self.meaning(Sample.head(206, range: range)) == .again(.fromZero))
    }

    @Test func aLengthThatIsNotTheRangesStartsOver() {
        #expect(Self.meaning(Sample.head(206, length: 499, range: "bytes 500-999/1000")) == .again(.fromZero))
        #expect(Self.meaning(Sample.head(206, length: 1000, range: "bytes 500-999/1000")) == .again(.fromZero))
    }

    @Test(arguments: ["gzip", "GZIP", "br"])
    func aCodedPartStartsOver(_ coding: String) {
        let head = Sample.head(206, range: "bytes 500-999/1000") { $0.contentEncoding = coding }
        #expect(Self.meaning(head) == .again(.fromZero))
    }

    @Test func theIdentityCodingIsNone() {
        let head = Sample.head(206, range: "bytes 500-999/1000") { $0.contentEncoding = "Identity" }
        #expect(Self.meaning(head) == Self.body(500, length: 500, total: 1000))
    }

    @Test func anotherVersionStartsOver() {
        let tag = Sample.head(206, range: "bytes 500-999/1000", etag: "\"v2\"")
        #expect(Self.meaning(tag) == .again(.fromZero))
        let date = Sample.head(206, range: "bytes 500-999/1000") { $0.lastModified = Sample.otherModified }
        #expect(Self.meaning(date, .rest(etag: nil, lastModified: Sample.modified)) == .again(.fromZero))
    }

    // MARK: - 200

    @Test func aServerWithoutRangesGivesTheWhole() {
        #expect(Self.meaning(Sample.head(200, length: 1000)) == Self.body(0, length: 1000, total: 1000))
        #expect(Self.meaning(Sample.head(200, etag: "\"v1\"")) == Self.body(0, length: nil, total: nil))
    }

    @Test func aWholeOfAnotherLengthIsAskedForAnew() {
        #expect(Self.meaning(Sample.head(200, length: 999)) == .again(.fromZero))
        #expect(Self.meaning(Sample.head(200, length: 500)) == .again(.fromZero))
        #expect(Self.meaning(Sample.head(200, length: 999), .rest(of: nil)) == Self.body(0, length: 999, total: 999))
    }

    /// A page that a gateway puts in the place of the file has neither length nor validator.
    @Test func aWholeThatNothingIsKnownOfIsAskedForAnew() {
        for isChunked in [false, true] {
            let page = Sample.head(200, etag: nil) { $0.isChunked = isChunked }
            #expect(Self.meaning(page) == .again(.fromZero))
            #expect(Self.meaning(page, .rest(etag: nil, lastModified: Sample.modified)) == .again(.fromZero))
            // Nothing was known before either, or the length is the one that was.
            #expect(Self.meaning(page, .rest(of: nil)) == Self.body(0, length: nil, total: nil))
            #expect(Self.meaning(page, .rest(etag: nil)) == Self.body(0, length: nil, total: nil))
        }
        #expect(Self.meaning(Sample.head(200, length: 1000, etag: nil)) == Self.body(0, length: 1000, total: 1000))
        #expect(Self.meaning(Sample.head(200, etag: "\"other\"")) == Self.body(0, length: nil, total: nil))
    }

    @Test func aSliceThatSays200IsAskedForAnew() {
        #expect(Self.meaning(Sample.head(200, length: 500, range: "bytes 500-999/1000")) == .again(.fromZero))
    }

    /// A server that ignores `If-Range` with a tag may know it with a date; that is worth a request when much is there.
    @Test(
        arguments: [
            (2 << 20, "\"v1\"", Sample.modified, true), (1 << 20, "\"v1\"", Sample.modified, false),
            (2 << 20, "\"v2\"", Sample.modified, false), (2 << 20, "\"v1\"", nil, false),
            (2 << 20, nil, Sample.modified, false),
        ] as [(Int64, String?, String?, Bool)])
    func theSameTagWithA200MayBeAskedByDate(_ offset: Int64, etag: String?, date: String?, asks: Bool) {
        let total: Int64 = 4 << 20
        let goal = RequestGoal.rest(from: offset, of: total, lastModified: date)
        let whole = Self.body(0, length: total, total: total)
        #expect(Self.meaning(Sample.head(200, length: total, etag: etag), goal) == (asks ? .again(.withDate) : whole))
    }

    @Test func itIsAskedByDateOnlyOnce() {
        var goal = RequestGoal.rest(from: 2 << 20, of: 4 << 20, lastModified: Sample.modified)
        goal.ifRange = goal.validator.ifRange(preferDate: true)
        let head = Sample.head(200, length: 4 << 20, etag: "\"v1\"")
        #expect(Self.meaning(head, goal) == Self.body(0, length: 4 << 20, total: 4 << 20))
    }

    // MARK: - 416

    @Test func nothingBeyondTheEndMeansWhole() {
        for known in [nil, 500] as [Int64?] {
            let goal = RequestGoal.rest(of: known)
            #expect(Self.meaning(Sample.head(416, range: "bytes */500"), goal) == .alreadyWhole(500))
            #expect(Self.meaning(Sample.head(416, range: "bytes */500", etag: "\"v1\""), goal) == .alreadyWhole(500))
        }
    }

    /// The file was longer: what is there may be no part of what it is now.
    @Test func aFileThatHasBecomeShorterStartsOver() {
        #expect(Self.meaning(Sample.head(416, range: "bytes */500")) == .again(.fromZero))
    }

    @Test(arguments: [nil, "rubbish", "bytes */499", "bytes */501", "bytes */0", "bytes 0-499/500"] as [String?])
    func anyOtherEndStartsOver(_ range: String?) {
        #expect(Self.meaning(Sample.head(416, range: range)) == .again(.fromZero))
    }

    @Test func theEndOfAnotherVersionStartsOver() {
        #expect(Self.meaning(Sample.head(416, range: "bytes */500", etag: "\"v2\"")) == .again(.fromZero))
    }

    @Test func withoutARangeItIsAFault() {
        #expect(Self.meaning(Sample.head(416, range: "bytes */0"), .whole) == .fault(Fault(.client, .status(416))))
    }
}
