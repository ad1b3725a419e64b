import RunnerCLI

/// The program `runner`.
@main
struct Entrypoint {
    static func main() {
        Program.main()
    }
}
