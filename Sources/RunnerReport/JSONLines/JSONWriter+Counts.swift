internal import RunnerExecution

extension JSONWriter {
    /// Writes the member `counts`: how many tasks have ended in each way; ways without a number are left out.
    mutating func counts(_ count: (TaskFinished.Outcome) -> (some FixedWidthInteger)?) {
        key("counts")
        object { json in
            json.member("succeeded", count(.succeeded))
            json.member("up_to_date", count(.upToDate))
            json.member("failed", count(.failed))
            json.member("blocked", count(.blocked))
            json.member("cancelled", count(.cancelled))
            json.member("skipped", count(.skipped))
        }
    }
}
