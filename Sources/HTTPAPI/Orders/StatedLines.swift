import Domain
import StrictJSON

/// Reads what of a context's amount is tip or shipping: its `allocation`, as far as a checkout says it.
enum StatedLines {
    /// Each kind once for each who keeps it.
    private static let limit = StatedLine.Kind.allCases.count * AllocationLine.Keeper.allCases.count

    /// The lines of a context, which come to no more than its amount; none where there are none, or where a violation was
    /// recorded.
    static func read(_ body: ObjectReader, within amount: Int64?) -> [StatedLine] {
        guard let lines = body.array("allocation", .optional, count: 1...limit, line) else { return [] }
        let place = body.pointer(to: "allocation")
        for (index, line) in lines.enumerated()
        where lines[..<index].contains(where: { $0.kind == line.kind && $0.keptBy == line.keptBy }) {
            let sentence = "There is another line of this kind that the same keeps; send their sum."
            body.violations.add(at: place.appending(index), "duplicate_allocation_line", sentence)
            return []
        }
        guard let amount else { return lines }
        var rest = amount
        for line in lines {
            guard line.amount <= rest else {
                body.refuse("allocation", "allocation_exceeds_amount", "The lines come to more than the amount.")
                return []
            }
            rest -= line.amount
        }
        return lines
    }

    private static func line(_ body: ObjectReader) -> StatedLine? {
        let kind = body.choice("kind", of: StatedLine.Kind.self)
        let amount = body.integer("amount", in: 1 ... .max)
        let keptBy = body.choice("kept_by", .optional, of: AllocationLine.Keeper.self)
        guard let kind, let amount else { return nil }
        return StatedLine(kind, amount: amount, keptBy: keptBy ?? .merchant)
    }
}
