import RunnerTransfer
import Testing

@Suite struct ValidatorTests {
    @Test(arguments: ["\"v1\"", "\"\"", "\"a b\"", "\"W/x\"", "\"it is \\\"quoted\\\"\""])
    func aStrongTagIsTaken(_ tag: String) {
        #expect(Validator(Sample.head(200, etag: tag)).etag == tag)
    }

    @Test(arguments: ["W/\"v1\"", "w/\"v1\"", "v1", "\"", "", "\"v1", "v1\"", "'v1'"])
    func anyOtherTagIsNone(_ tag: String) {
        #expect(Validator(Sample.head(200, etag: tag)).etag == nil)
    }

    /// A file can change twice within the second that its date tells (RFC 9110 section 8.8.2.2).
    @Test(
        arguments: [
            (1000, 1060, true), (1000, 1061, true), (1000, 1059, false), (1000, 1000, false), (1000, 900, false),
            (0, 60, true), (.min, .max, true), (.max, .min, false), (1000, nil, false), (nil, 2000, false),
        ] as [(Int64?, Int64?, Bool)])
    func aDateCountsWhenItIsAMinuteOlderThanTheReply(_ modified: Int64?, date: Int64?, counts: Bool) {
        let head = Sample.head(200) {
            $0.lastModified = Sample.modified
            $0.lastModifiedTime = modified
            $0.dateTime = date
        }
        #expect(Validator(head).lastModified == (counts ? Sample.modified : nil))
        #expect(Validator(head).isEmpty == !counts)
    }

    @Test func theTagGoesBeforeTheDate() {
        let both = Validator(etag: "\"v1\"", lastModified: Sample.modified)
        #expect(both.ifRange(preferDate: false) == "\"v1\"")
        #expect(both.ifRange(preferDate: true) == Sample.modified)
        #expect(Validator(etag: "\"v1\"").ifRange(preferDate: true) == "\"v1\"")
        #expect(Validator(lastModified: Sample.modified).ifRange(preferDate: false) == Sample.modified)
        #expect(Validator().ifRange(preferDate: false) == nil)
    }

    @Test(
        arguments: [
            (Validator(etag: "\"v1\""), "\"v1\"", nil, false),
            (Validator(etag: "\"v1\""), "\"v2\"", nil, true),
            (Validator(etag: "\"v1\""), "W/\"v1\"", nil, true),
            (Validator(etag: "\"v1\""), nil, Sample.otherModified, false),
            (Validator(etag: "\"v1\"", lastModified: Sample.modified), nil, Sample.otherModified, true),
            (Validator(etag: "\"v1\"", lastModified: Sample.modified), "\"v1\"", Sample.otherModified, false),
            (Validator(lastModified: Sample.modified), "\"v2\"", Sample.modified, false),
            (Validator(lastModified: Sample.modified), nil, nil, false),
            (Validator(), "\"v1\"", Sample.modified, false),
        ] as [(Validator, String?, String?, Bool)])
    func anotherVersionIsSeen(_ known: Validator, etag: String?, lastModified: String?, differs: Bool) {
        let head = Sample.head(206, etag: etag) { $0.lastModified = lastModified }
        #expect(known.differs(from: head) == differs)
    }
}
