import Domain
import ExternalJoin

/// The PSP accounts that were named, by the number that records have of them.
///
/// An object, so that every line can ask it without a copy.
final class Accounts {
    private var numbers: [PSPAccountName: UInt16] = [:]
    private(set) var names: [PSPAccountName] = []
    /// A digest of each name: the number itself says when the account was first named, and must not be seen.
    private(set) var seeds: [UInt64] = []
    private(set) var terms: [PSPTerms] = []
    /// Whether the account's report has lines of commissions.
    var reportsCommissions: [Bool] = []
    private let rules: ReconciliationRules

    init(rules: ReconciliationRules) { self.rules = rules }

    /// The number of an account.
    func number(of name: PSPAccountName) -> UInt16 {
        if let number = numbers[name] { return number }
        precondition(names.count < Int(UInt16.max), "more PSP accounts than settings can hold")
        let number = UInt16(names.count)
        numbers[name] = number
        names.append(name)
        terms.append(rules.terms(for: name))
        reportsCommissions.append(false)
        let text = Array("\(name.psp)\0\(name.account)".utf8)
        seeds.append(text.digest(0..<text.count, seed: 0))
        return number
    }
}

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

    mutating func number(of file: SettlementFile) -> UInt32 {
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

/// Counts what becomes of each line.
struct Tallies {
    private var currencies: [CurrencyTally?] = Array(repeating: nil, count: 1000)
    /// A currency whose sum does not fit.
    private var overflowed: Currency?

    /// What became of a line.
    enum Fate {
        /// It was read.
        case read
        case matched
        case broken
        case explained
    }

    mutating func add(_ line: LineHeader, _ fate: Fate) {
        guard line.has(LineHeader.hasAmount) else { return }
        let code = Int(line.currency)
        if currencies[code] == nil {
            currencies[code] = CurrencyTally(currency: Currencies.currency(line.currency))
        }
        let amount = line.trillionths
        let fits =
            switch fate {
            case .read: currencies[code]?.lines.add(amount)
            case .matched: currencies[code]?.matched.add(amount)
            case .broken: currencies[code]?.broken.add(amount)
            case .explained: currencies[code]?.explained.add(amount)
            }
        if fits == false { overflowed = Currencies.currency(line.currency) }
    }

    /// The tallies in the order of the currencies' codes.
    func all() throws(ReconciliationFailure) -> [CurrencyTally] {
        if let overflowed { throw .sumOverflows(overflowed) }
        return currencies.compactMap(\.self).sorted { $0.currency.code < $1.currency.code }
    }
}
