/// The many tasks that one item of the job file stands for.
struct Matrix {
    /// Values of one variable that are written in the job file.
    struct List {
        var name: String
        var values: [TextValue]
    }

    /// A file whose rows give values.
    struct RowFile {
        /// Absolute, or ``JobFiles/standardInput``.
        var path: String
        /// As messages show it.
        var name: String
        var format: RowFormat
        /// Names in place of those that the file gives.
        var columns: [String]?
        /// Where the job file names it.
        var place: Place
    }

    /// Combinations that are left out: of each name one of the values.
    struct Exclusion {
        var wanted: [(name: String, values: Set<String>)]
        var place: Place
    }

    var lists: [List] = []
    var file: RowFile?
    var exclusions: [Exclusion] = []

    /// Tasks that one matrix may stand for.
    static let ceiling = 20_000_000

    /// The number of combinations of the lists; nil when that is above the ceiling.
    var combinations: Int? {
        var count = 1
        for list in lists {
            let (product, overflows) = count.multipliedReportingOverflow(by: list.values.count)
            if overflows || product > Self.ceiling { return nil }
            count = product
        }
        return count
    }
}
