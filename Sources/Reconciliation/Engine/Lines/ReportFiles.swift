import Domain

/// The files that lines are of, by the number that records have of them.
struct ReportFiles {
    private struct Name: Hashable {
        let sha256: String
        let member: Int
    }

    private var numbers: [Name: UInt32] = [:]
    private var names: [Name] = []
    /// Rows of a file that were no lines.
    private(set) var unusableRows: [Int] = []
    /// Files of which only what stayed open was handed over.
    private(set) var earlier: Set<UInt32> = []

    mutating func number(of file: ReportFile) -> UInt32 {
        let name = Name(sha256: file.sha256, member: file.member)
        if let number = numbers[name] { return number }
        let number = UInt32(names.count)
        numbers[name] = number
        names.append(name)
        unusableRows.append(0)
        if file.isEarlier { earlier.insert(number) }
        return number
    }

    mutating func countUnusable(in file: UInt32) { unusableRows[Int(file)] += 1 }

    func place(_ file: UInt32, row: UInt64) -> LinePlace {
        let name = names[Int(file)]
        return LinePlace(file: name.sha256, member: name.member, row: Int(row))
    }

    /// The rank of each file by its digest, then member.
    var ranks: [Int] {
        var ranks = [Int](repeating: 0, count: names.count)
        let order = names.indices.sorted {
            (names[$0].sha256, names[$0].member) < (names[$1].sha256, names[$1].member)
        }
        for (rank, number) in order.enumerated() { ranks[number] = rank }
        return ranks
    }
}
