import RunnerImport
import Testing

/// Input files of aria2.
@Suite struct Aria2ListTests {
    private static let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    @Test func mirrorsNameFolderAndDigest() throws {
        let text =
            "# a list\nhttp://h/a\tftp://m/a\thttp://h/a\n  out=b c\n\tdir=/data/x\n  checksum=sha-256=\(Self.sum)\n"
            + "http://h/d\n dir=e\n"
        #expect(
            try ImportBench(format: .aria2).tasks(text) == """
                tasks:
                  - download: http://h/a
                    mirrors:
                      - ftp://m/a
                    to: "/data/x/b c"
                    sha256: \(Self.sum)
                  - download: http://h/d
                    to: e/d

                """)
    }

    @Test(arguments: [
        ("max-download-limit=100K", "rate: 100KiB/s"), ("lowest-speed-limit=2M", "min_rate: 2MiB/s"),
        ("split=5", "segments: 5"), ("split=64", "segments: 16"),
        ("max-tries=1000", "retry:\n      attempts: 100"), ("out=/d/e", "to: d/e"), ("all-proxy=", "proxy: none"),
        ("http-proxy=p:1\n  https-proxy=p:2\n  all-proxy=p:3", "proxy: http://p:1"),
        ("https-proxy=p:2\n  all-proxy=p:3", "proxy: http://p:3"),
        ("header=X-A: 1\n  header=X-A: 2", "headers:\n      X-A: \"1, 2\""),
        ("timeout=60", "timeout:\n      stall: 60s"),
        ("connect-timeout=7", "timeout:\n      connect: 7s"), ("max-tries=3", "retry:\n      attempts: 3"),
        ("user-agent=x/1", "user_agent: x/1"), ("header=Accept: text/csv", "headers:\n      Accept: text/csv"),
        ("referer=http://h/", "headers:\n      Referer: http://h/"), ("load-cookies=c.txt", "cookies: c.txt"),
        ("all-proxy=p:8080", "proxy: http://p:8080"), ("remote-time=true", "mtime: server"),
        ("http-proxy=socks5://p:1", "proxy: socks5://p:1"),
        ("header=Authorization: Bearer abcd", "auth:\n      bearer: ${secret:H_TOKEN}"),
        ("header=X-Api-Key: abcd", "headers:\n      X-Api-Key: ${secret:H_X_API_KEY}"),
        ("retry-wait=5", "retry:\n      backoff: constant\n      first: 5s\n      max: 5s\n      jitter: none"),
    ])
    func anOptionIsAField(_ option: String, _ field: String) throws {
        let tasks = try ImportBench(format: .aria2).tasks("http://h/a\n  \(option)\n")
            .replacing("\"text/csv\"", with: "text/csv")
        #expect(tasks == "tasks:\n  - download: http://h/a\n    \(field)\n", "\(tasks)")
    }

    @Test(arguments: ["max-tries=0", "max-download-limit=0", "continue=true", "gid=1", "remote-time=false", "#a"])
    func anOptionThatAsksForNothingIsNone(_ option: String) throws {
        #expect(try ImportBench(format: .aria2).tasks("http://h/a\n  \(option)\n") == "tasks:\n  - http://h/a\n")
        #expect(try ImportBench(format: .aria2).warnings("http://h/a\n  \(option)\n") == [])
    }

    @Test func whatHasNoCounterpartIsToldOnce() throws {
        let text = "http://h/a\n bt-x=1\nhttp://h/b\n bt-x=1\nhttp://h/c\n bt-x=1\nmagnet:?xt=1\n"
        #expect(
            try ImportBench().warnings(text) == [
                "2: the option `bt-x` has no counterpart in a job file and was left out, here and in 2 more places",
                "7: `magnet:` cannot be fetched and was left out",
            ])
    }

    @Test func aLoginOfAMirrorIsTold() throws {
        let text = "http://u:abcd@h/a\thttp://u:abcd@g/a\thttp://v:abcd@g/b\n"
        #expect(
            try ImportBench(format: .aria2).warnings(text).last
                == "1: the login in a further URL of a file has no counterpart in a job file and was left out")
    }

    @Test func aURLWithAnOutputIsNotTheSameWithoutOne() throws {
        let tasks = try ImportBench(format: .aria2).tasks("http://h/a\n  out=b\nhttp://h/a\n")
        #expect(tasks == "tasks:\n  - download: http://h/a\n    to: b\n  - http://h/a\n", "\(tasks)")
    }

    @Test func userAndPasswordOfFTPAreForFTP() throws {
        let text = "ftp://h/a\n ftp-user=f\n ftp-passwd=x123\n http-user=w\n http-passwd=y123\n header=A: b\n"
        let tasks = try ImportBench(format: .aria2).tasks(text)
        #expect(tasks.contains("user: f\n") && !tasks.contains("user: w\n") && !tasks.contains("headers"))
    }

    @Test(arguments: [
        ("  out=a\nhttp://h/a\n", "1: an option stands below the URL that it is for; there is none above"),
        ("http://h/a\n  out\n", "2: an option is written `name=value`"),
        ("http://h/a\n  out=../b\n", "1: the path leaves the job's directory"),
        ("http://h/a\n  checksum=sha-256=12\n", "2: "),
        ("http://h/a\n  timeout=soon\n", "2: `soon` is no value for `timeout`"),
        ("http://h/a\n  max-download-limit=1X\n", "2: `1X` is no value for"),
        ("http://h/a\n  header=Range: bytes=0-1\n", "2: `Range: bytes=0-1` is no value for `header`"),
    ])
    func aFaultNamesItsLine(_ text: String, _ fault: String) throws {
        let faults = try ImportBench(format: .aria2).faults(Array(text.utf8))
        #expect(faults.count == 1 && faults[0].hasPrefix(fault), "\(faults)")
    }
}
