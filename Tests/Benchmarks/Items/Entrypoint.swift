import Glibc

/// Measures parts of the program alone and prints what an item costs, for several numbers of items.
///
/// What is linear shows the same figure in every column.
@main
struct Entrypoint {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let counts = words.isEmpty ? [1_000, 10_000, 100_000] : words.compactMap { Int($0) }
        guard counts.count == max(words.count, words.isEmpty ? 3 : 0), counts.allSatisfy({ $0 > 0 }) else {
            print("usage: runner-benchmarks [NUMBER-OF-ITEMS...]")
            exit(2)
        }
        do {
            let folder = try LedgerFolder()
            print(row("ns an item", counts.map { "\($0)" }))
            for part in Part.all(in: folder) {
                let cells = try counts.map { try part.nanoseconds(items: $0) }
                print(row(part.name, cells.map { "\($0)" }))
            }
        } catch {
            print("runner-benchmarks: \(error)")
            exit(1)
        }
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        let columns = cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(1, 36 - name.count)) + columns.joined()
    }
}
