/// One part of the program that is measured alone.
struct Part {
    let name: String
    /// Makes what the part works on, outside the timing, and returns the work; the work says how many items it did.
    let prepare: (Int) throws -> () throws -> Int

    /// The least that an item cost in several rounds: what else the machine does only ever adds.
    func nanoseconds(items: Int) throws -> Int64 {
        let work = try prepare(items)
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(400)
        var least = Duration.seconds(3_600)
        var rounds = 0
        while rounds < 3 || clock.now < end {
            let start = clock.now
            let done = try work()
            least = min(least, clock.now - start)
            guard done == items else { throw WrongCount(part: name, wanted: items, done: done) }
            rounds += 1
        }
        let parts = least.components
        return (parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000) / Int64(items)
    }
}

/// A part that did not do what it was asked to; its time would mean nothing.
struct WrongCount: Error {
    var part: String
    var wanted: Int
    var done: Int
}
