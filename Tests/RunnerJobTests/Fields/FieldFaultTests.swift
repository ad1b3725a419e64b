import Testing

@testable import RunnerJob

/// What each type of field refuses, and what it says.
@Suite struct FieldFaultTests {
    @Test(arguments: [
        ("optional: yes", "4:15: `optional` wants `true` or `false`, not `yes`"),
        ("optional: True", "4:15: `optional` wants `true` or `false`, not `True`"),
        ("optional:", "4:14: `optional` has no value; write `true` or `false` behind it"),
        ("optional: \"\"", "4:15: `optional` is empty; it wants `true` or `false`"),
        ("priority: 1.5", "4:15: `priority` wants a whole number, such as 1, not `1.5`"),
        ("priority: +1", "4:15: `priority` wants a whole number, such as 1, not `+1`"),
        ("priority: 0x10", "4:15: `priority` wants a whole number, such as 1, not `0x10`"),
        ("priority: 1000001", "4:15: `priority` must be a whole number from -1000000 to 1000000, not `1000001`"),
        ("retry: {attempts: 0}", "4:23: `attempts` must be a whole number from 1 to 1000000, not `0`"),
        ("retry: {attempts: 1_000}", "4:23: `attempts` wants a whole number, such as 1, not `1_000`"),
        ("retry: {attempts: 1e3}", "4:23: `attempts` wants a whole number, such as 1, not `1e3`"),
        (
            "retry: {attempts: 99999999999999999999}",
            "4:23: `attempts` must be a whole number from 1 to 1000000, not `99999999999999999999`"
        ),
        ("retry: {factor: 0.5}", "4:21: `factor` must be a number from 1.0 to 1000.0, such as 2 or 1.5, not `0.5`"),
        ("retry: {factor: .nan}", "4:21: `factor` must be a number from 1.0 to 1000.0, such as 2 or 1.5, not `.nan`"),
        ("retry: {factor: 1e9}", "4:21: `factor` must be a number from 1.0 to 1000.0, such as 2 or 1.5, not `1e9`"),
        ("size: -1", "4:11: `size` wants a size, such as 10MB or 64KiB: `-1` does not begin with a whole number"),
        ("size: [1]", "4:11: `size` wants a size, such as 10MB or 64KiB, not a list"),
        (
            "timeout: {total: 30}",
            "4:22: `total` wants a duration, such as 30s or 1h30m: `30` has no unit; write for instance 30s or 30m"
        ),
        ("timeout: {total: 0s}", "4:22: `total` must be longer than zero"),
        ("mode: 0999", "4:11: `mode` wants octal digits from 0000 to 7777, such as 0644, not `0999`"),
        ("mode: 10000", "4:11: `mode` wants octal digits from 0000 to 7777, such as 0644, not `10000`"),
        ("mode: u+x", "4:11: `mode` wants octal digits from 0000 to 7777, such as 0644, not `u+x`"),
        ("mode: 0o", "4:11: `mode` wants octal digits from 0000 to 7777, such as 0644, not `0o`"),
        ("exists: overwrite", "4:13: unknown value `overwrite` for `exists`; it takes verify, keep, replace, fail"),
        (
            "exists: veryfi",
            "4:13: unknown value `veryfi` for `exists`; it takes verify, keep, replace, fail; did you mean `verify`?"
        ),
        ("id: \"a\\nb\"", "4:9: `id` cannot hold a line break or another control character"),
        ("id: ''", "4:9: `id` must not be empty"),
        (
            "needs: [{a: b}]",
            "4:13: `needs` wants a text, not a mapping; put a text that begins with `{` or holds `: ` in quotes"
        ),
        ("retry: 3", "4:12: `retry` wants a mapping, such as `retry: {attempts: 5}`"),
        ("timeout: 30s", "4:14: `timeout` wants a mapping, such as `timeout: {total: 2h}`"),
        ("checksum: aa", "4:5: unknown key `checksum` in a task; did you mean `digest`?"),
        (
            "\u{A0}output: a",
            "4:5: unknown key `<U+A0>output` in a task; U+A0 is another blank than that of the space bar; write that one"
        ),
        ("output: a", "4:5: unknown key `output` in a task; did you mean `to`?"),
        ("digest: {url: \"http://h/S\"}", "4:14: unknown key `url` in `digest`; did you mean `file`?"),
        ("sha265: aa", "4:5: unknown key `sha265` in a task; did you mean `sha256`?"),
        ("timeout: {conect: 3s}", "4:15: unknown key `conect` in `timeout`; did you mean `connect`?"),
        (
            "timeout: {idle: 3s}",
            "4:15: unknown key `idle` in `timeout`; it takes `connect`, `stall`, `attempt`, `total`"
        ),
        ("\"a\\eb\": 1", "4:5: unknown key `a<U+1B>b` in a task"),
    ])
    func saysWhatToWriteInstead(line: String, fault: String) {
        #expect(JobText.faults(JobText.task(line)) == [fault])
    }
}
