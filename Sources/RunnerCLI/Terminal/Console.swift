/// The two streams of the program: data on standard output, messages for people on standard error.
package struct Console: Sendable {
    package let output: any Output
    package let errors: any Output

    package init(output: any Output, errors: any Output) {
        self.output = output
        self.errors = errors
    }

    /// Standard output and standard error of the process.
    package static func standard() -> Console {
        Console(output: DescriptorOutput(1), errors: DescriptorOutput(2))
    }

    /// Writes lines of data to standard output, in one go.
    package func data(_ lines: [String]) {
        Self.write(lines, to: output)
    }

    /// Writes lines for people to standard error, in one go.
    package func message(_ lines: [String]) {
        Self.write(lines, to: errors)
    }

    /// Writes text of data that has its line feeds already.
    package func data(text: String) {
        if !text.isEmpty { output.write(text.utf8) }
    }

    /// Writes text for people that has its line feeds already.
    package func message(text: String) {
        if !text.isEmpty { errors.write(text.utf8) }
    }

    private static func write(_ lines: [String], to output: any Output) {
        guard !lines.isEmpty else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(0) { $0 + $1.utf8.count + 1 })
        for line in lines {
            bytes.append(contentsOf: line.utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        output.write(bytes)
    }
}
