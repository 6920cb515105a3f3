import Domain

/// What tells a file whose rows are not stored from others: enough to find the versions before it.
package struct UnstoredImport: Hashable, Sendable {
    /// A line of a batch.
    struct Line: Hashable, Sendable {
        let batch: String
        let name: String
    }

    /// How many lines are remembered: a later version has most of its lines in common with the one before.
    private static let lineLimit = 1_000

    /// The marketplace.
    package let marketplace: String
    /// The format.
    package let format: String
    /// The PSP account; nil for a bank's file.
    package let account: ImportedFile.Account?
    /// What the document calls itself.
    package var document: String?
    /// The days of its lines in batches.
    private(set) var days = ImportedDays()
    private(set) var batches: Set<String> = []
    private(set) var lines: Set<Line> = []

    /// Names a file.
    package init(marketplace: String, format: String, account: ImportedFile.Account?) {
        self.marketplace = marketplace
        self.format = format
        self.account = account
    }

    /// Whether two files have something in common, as far as their first lines tell.
    package func hasCommonLines(with other: UnstoredImport) -> Bool { !lines.isDisjoint(with: other.lines) }

    /// Takes note of a line.
    package mutating func add(_ imported: ImportedLine) {
        let line = imported.line
        guard let batch = line.batch else { return }
        batches.insert(batch)
        if let day = imported.day { days.add(day, isPayout: line.kind == .payout) }
        guard lines.count < Self.lineLimit, let name = line.nameInBatch else { return }
        lines.insert(Line(batch: batch, name: name))
    }
}

extension SettlementLine {
    /// What makes it the same line in a later version of its file: the PSP's name for it, else what it is about; nil for
    /// a line without any reference.
    var nameInBatch: String? {
        if let entryReference { return entryReference }
        guard objectReference != nil || paymentReference != nil || reference != nil else { return nil }
        return "\(kind.rawValue) \(objectReference ?? "") \(paymentReference ?? reference ?? "")"
    }
}

/// The days of a file's lines in batches.
struct ImportedDays: Hashable, Sendable {
    /// Those of lines that are no payouts.
    var lines: ClosedRange<String>?
    /// Those of all.
    var all: ClosedRange<String>?

    mutating func add(_ day: String, isPayout: Bool) {
        func adding(_ days: ClosedRange<String>?) -> ClosedRange<String> {
            min(days?.lowerBound ?? day, day)...max(days?.upperBound ?? day, day)
        }
        if !isPayout { lines = adding(lines) }
        all = adding(all)
    }

    /// Whether they begin and end later than others, or begin and end earlier: they lack some of those, and are no version of
    /// them.
    func areMoved(from others: ImportedDays) -> Bool {
        Self.isMoved(lines, from: others.lines) || Self.isMoved(all, from: others.all)
    }

    private static func isMoved(_ days: ClosedRange<String>?, from others: ClosedRange<String>?) -> Bool {
        guard let days, let others else { return false }
        return (days.lowerBound > others.lowerBound && days.upperBound > others.upperBound)
            || (days.lowerBound < others.lowerBound && days.upperBound < others.upperBound)
    }
}
