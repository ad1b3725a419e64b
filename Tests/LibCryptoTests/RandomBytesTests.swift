import LibCrypto
import Testing

@Suite struct RandomBytesTests {
    @Test(arguments: [0, 1, 33]) func givesAsManyAsAskedFor(_ count: Int) throws {
        #expect(try randomBytes(count).count == count)
    }

    @Test func takesLessThanNoneAsNone() throws {
        #expect(try randomBytes(-1) == [])
    }

    @Test func differFromCallToCall() throws {
        #expect(try randomBytes(16) != randomBytes(16))
    }
}
