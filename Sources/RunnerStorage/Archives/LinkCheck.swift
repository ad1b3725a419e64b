/// Follows a symbolic link through the tree that it is to be a part of, without a look at the disk.
///
/// Links on the way are followed as the system would, since `..` behind a link leads to where the link's target lies.
struct LinkCheck {
    let nodes: [[UInt8]: TreeWriter.Node]

    /// As many links as the system follows (path_resolution(7)).
    private static let most = 40

    /// Throws when the link at `path` leads out of the tree, or in a circle.
    func check(_ path: [UInt8], target: [UInt8]) throws(ExtractionError) {
        let shown = EntryName.text(target)
        func leadsOut() -> ExtractionError { .unsafe(.linkLeadsOut(target: shown), entry: EntryName.text(path)) }
        guard let first = target.first, first != EntryName.slash else { throw leadsOut() }
        var here = path.split(separator: EntryName.slash).dropLast().map { $0 }
        // What is still to be gone, the next part last.
        var way = Array(target.split(separator: EntryName.slash).reversed())
        var followed = 0
        while let part = way.popLast() {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                guard here.popLast() != nil else { throw leadsOut() }
                continue
            }
            here.append(part)
            guard case .link(let next) = nodes[EntryName.joined(here[...])] else { continue }
            followed += 1
            guard followed <= Self.most else {
                throw .unsafe(.linkInCircle(target: shown), entry: EntryName.text(path))
            }
            guard let first = next.first, first != EntryName.slash else { throw leadsOut() }
            here.removeLast()
            way += next.split(separator: EntryName.slash).reversed()
        }
    }
}
