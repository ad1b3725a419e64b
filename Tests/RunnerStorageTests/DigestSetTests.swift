import RunnerJob
import RunnerStorage
import Testing

@Suite struct DigestSetTests {
    /// Digests of no bytes at all, by which the names of all algorithms are known to be right.
    static let ofNothing: [DigestAlgorithm: String] = [
        .md5: "d41d8cd98f00b204e9800998ecf8427e",
        .sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        .sha224: "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f",
        .sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        .sha384: "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
        .sha512: "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
            + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        .sha512_256: "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a",
        .sha3_256: "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
        .sha3_384: "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f004",
        .sha3_512: "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
            + "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
        .blake2b: "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
            + "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce",
        .blake2s: "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9",
    ]

    @Test(arguments: DigestAlgorithm.ofJobs) func knowsEveryAlgorithm(_ algorithm: DigestAlgorithm) throws {
        let digest = try DigestSet.digest(of: [], by: algorithm)
        #expect(digest.algorithm == algorithm)
        #expect(digest.hex == Self.ofNothing[algorithm])
    }

    /// The check value that catalogues of cyclic sums give for each: the sum of the digits from 1 to 9.
    @Test(
        arguments: [(.crc32, "cbf43926"), (.crc32c, "e3069283"), (.crc64nvme, "ae8b14860a799888")]
            as [(DigestAlgorithm, String)])
    func sumsHaveTheirCheckValue(_ algorithm: DigestAlgorithm, _ check: String) throws {
        #expect(try DigestSet.digest(of: Array("123456789".utf8), by: algorithm).hex == check)
    }

    /// Whatever the pieces, so that steps of eight bytes and single ones agree.
    @Test(arguments: [.crc32, .crc32c, .crc64nvme] as [DigestAlgorithm])
    func sumsDoNotDependOnThePieces(_ algorithm: DigestAlgorithm) throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let whole = try DigestSet.digest(of: bytes, by: algorithm)
        for size in [1, 3, 7, 8, 9, 64] {
            let set = try DigestSet([algorithm])
            var start = 0
            while start < bytes.count {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                try piece.span.withUnsafeBytes { (bytes) throws(StorageError) in try set.update(bytes) }
                start += size
            }
            #expect(try set.finalize()[algorithm] == whole)
        }
    }

    @Test func computesAllAtOnce() throws {
        let set = try DigestSet(DigestAlgorithm.ofJobs + [.md5])
        #expect(set.algorithms == DigestAlgorithm.ofJobs)
        let bytes = Array("some bytes".utf8)
        try bytes.span.withUnsafeBytes { (bytes) throws(StorageError) in try set.update(bytes) }
        let digests = try set.finalize()
        #expect(digests.count == DigestAlgorithm.ofJobs.count)
        for algorithm in DigestAlgorithm.ofJobs {
            #expect(try digests[algorithm] == DigestSet.digest(of: bytes, by: algorithm))
        }
    }

    @Test func startsAgain() throws {
        let set = try DigestSet([.sha256])
        try [UInt8(1), 2].span.withUnsafeBytes { (bytes) throws(StorageError) in try set.update(bytes) }
        try set.restart()
        #expect(try set.finalize()[.sha256]?.hex == Self.ofNothing[.sha256])
        #expect(try set.finalize() == [:])
        try set.restart()
        #expect(try set.finalize()[.sha256]?.hex == Self.ofNothing[.sha256])
    }

    @Test func mayBeOfNoAlgorithm() throws {
        let set = try DigestSet(for: [])
        try [UInt8(1)].span.withUnsafeBytes { (bytes) throws(StorageError) in try set.update(bytes) }
        #expect(try set.finalize() == [:])
    }
}
