import RunnerJob
import Testing

@Suite("Keys that requests are signed with") struct SigningKeyTests {
    @Test func areReadAndKeptSecret() throws {
        let job = try JobText.parse(
            JobText.task("auth: {aws_sigv4: {region: eu-1, access_key: ID, secret_key: hunter22, session_token: lent}}")
        )
        #expect(
            job.tasks.first?.action.request?.auth
                == .signature(
                    RequestFields.SigningKey(
                        region: "eu-1", accessKey: "ID", secretKey: "hunter22", sessionToken: "lent")))
        #expect(job.secrets.isSuperset(of: ["hunter22", "lent"]))
    }

    @Test(arguments: [
        ("auth: {aws_sigv4: {region: a, access_key: b}}", "4:23: `aws_sigv4` needs `secret_key`"),
        (
            "auth: {aws_sigv4: {region: 'a:b', access_key: b, secret_key: c}}",
            "4:23: `region` cannot hold a colon"
        ),
    ])
    func tellWhatIsMissing(_ line: String, _ fault: String) {
        #expect(JobText.faults(JobText.task(line)) == [fault])
    }
}
