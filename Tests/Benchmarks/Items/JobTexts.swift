import RunnerJob

/// The job files that are read.
enum JobTexts {
    /// A job with so many downloads, each with a destination and a digest.
    static func listed(_ count: Int) -> String {
        var text = "version: 1\ntasks:\n"
        for number in 0..<count {
            text += """
                  - download: https://data.example.org/files/part-\(number).bin
                    to: files/part-\(number).bin
                    sha256: \(digits(number))

                """
        }
        return text
    }

    /// A job with one item that becomes so many tasks.
    static func matrix(_ count: Int) -> String {
        """
        version: 1
        tasks:
          - matrix: {number: 1..\(count)}
            download: https://data.example.org/files/part-${number}.bin
            to: files/part-${number}.bin

        """
    }

    static func input(_ text: String) -> JobInput {
        JobInput(file: "bench.yaml", bytes: Array(text.utf8), folder: "/jobs", clock: .utc(now: 1_800_000_000))
    }

    /// The 64 digits of a digest, another one for each number.
    private static func digits(_ number: Int) -> String {
        let tail = String(number, radix: 16)
        return String(repeating: "0", count: 64 - tail.count) + tail
    }
}
