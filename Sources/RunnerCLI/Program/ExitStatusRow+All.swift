extension ExitStatusRow {
    /// The table of exit statuses, as help and manual show it.
    package static let all = [
        ExitStatusRow("0", "all required tasks succeeded; nothing to do counts"),
        ExitStatusRow("1", "one or more required tasks failed"),
        ExitStatusRow("2", "the command line or the job file is wrong; nothing was started"),
        ExitStatusRow("3", "could not start or go on, such as for want of space"),
        ExitStatusRow("4", "only optional tasks failed"),
        ExitStatusRow("5", "`run --locked` or `verify` found a difference"),
        ExitStatusRow("130, 143, 129", "interrupted, terminated, hung up; the next run goes on from there"),
    ]
}
