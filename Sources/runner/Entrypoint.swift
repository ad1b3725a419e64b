import RunnerCLI

@main
struct Entrypoint {
    static func main() {
    }
}
