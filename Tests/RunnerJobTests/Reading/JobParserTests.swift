import RunnerJob
import Testing

@Suite struct JobParserTests {
    @Test func readsTheWholeOfASmallJob() throws {
        let job = try JobText.parse(
            """
            version: 1
            name: nightly
            description: what it is for
            directory: ../downloads
            report: report.jsonl
            x-note: {anything: [at, all]}
            vars:
              release: 12.5
              mirror: ${env:MIRROR:-https://deb.example.org}
            limits: {concurrency: 3, per_host: 2}
            tasks:
              - https://example.org/readme.txt
              - id: iso
                download: ${mirror}/debian-${release}.iso
                mirrors: ["https://mirror.example.net/debian-${release}.iso"]
                to: iso/
                needs: [readme.txt]
            """)
        #expect(job.name == "nightly")
        #expect(job.directory == "/downloads")
        #expect(job.folder == "/jobs")
        #expect(job.report == "report.jsonl")
        #expect(job.limits == Limits(concurrency: 3, perHost: 2))
        #expect(job.tasks.map(\.id) == ["readme.txt", "iso"])
        let iso = job.tasks[1]
        #expect(iso.place == Place(line: 13, column: 5))
        #expect(iso.needs == [Reference("readme.txt", at: Place(line: 17, column: 13))])
        #expect(
            iso.download.sources.map(\.url.text) == [
                "https://deb.example.org/debian-12.5.iso", "https://mirror.example.net/debian-12.5.iso",
            ])
        #expect(iso.download.path.text == "iso/debian-12.5.iso")
        #expect(job.warnings.isEmpty)
        #expect(job.secrets.isEmpty)
    }

    @Test func tellsAllFaultsAtOnceInTheOrderOfTheFile() {
        let faults = JobText.faults(
            """
            version: 1
            limits: {concurency: 2}
            tasks:
              - download: gopher://h/a
                size: big
              - dowload: http://h/b
                to: ../b
            """)
        #expect(
            faults.map { $0.prefix(while: { $0 != " " }) } == ["2:10:", "4:15:", "5:11:", "6:5:"])
        #expect(faults.first == "2:10: unknown key `concurency` in `limits`; did you mean `concurrency`?")
        #expect(faults.last == "6:5: unknown key `dowload` in a task; did you mean `download`?")
    }
}
