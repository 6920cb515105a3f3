import AdapterKit
import Domain
import Reconciliation
import SeededRandom

/// Everything that is handed to a reconciler.
struct Inputs {
    /// What came of it.
    struct Result {
        var matches: [Match]
        var breaks: [Break]
        var summary: ReconciliationSummary
        /// The keys of breaks that batches no longer have.
        var agreed: [String]
    }

    static let account = PSPAccountName(psp: "acme", account: "eu")
    static let file = SettlementFile(account: account, sha256: String(repeating: "a", count: 64))
    static let otherFile = SettlementFile(account: account, sha256: String(repeating: "b", count: 64))
    static let earlierFile = SettlementFile(
        account: account,
        sha256: String(repeating: "d", count: 64),
        isEarlier: true
    )
    static let bankFile = String(repeating: "c", count: 64)

    var rules = ReconciliationRules.standard
    var scope = ReconciliationScope()
    var expectations: [Domain.Expectation] = []
    var lines: [SettlementLine] = []
    var otherLines: [SettlementLine] = []
    var earlierLines: [SettlementLine] = []
    var unusable: [UnusableRow] = []
    var movements: [BankMovement] = []
    var payouts: [Payout] = []
    var directory = Directory()

    /// Reconciles; with a seed, everything arrives in an order of its own.
    func reconcile(shuffledBy seed: UInt64? = nil) async throws -> Result {
        enum Input {
            case expectation(Domain.Expectation)
            case line(SettlementLine, SettlementFile)
            case unusable(UnusableRow)
            case movement(BankMovement)
            case payout(Payout)
        }
        var inputs: [Input] = lines.map { .line($0, Self.file) }
        inputs += otherLines.map { .line($0, Self.otherFile) }
        inputs += earlierLines.map { .line($0, Self.earlierFile) }
        inputs += expectations.map { .expectation($0) }
        inputs += unusable.map { .unusable($0) } + movements.map { .movement($0) } + payouts.map { .payout($0) }
        if let seed {
            var random = SeededRandom(seed: seed)
            inputs.shuffle(using: &random)
        }
        let reconciler = Reconciler(rules: rules, scope: scope)
        for input in inputs {
            switch input {
            case .expectation(let expectation): try reconciler.add(expectation)
            case .line(let line, let file): try reconciler.add([line], of: file)
            case .unusable(let row): reconciler.add(row, of: Self.file)
            case .movement(let movement): try reconciler.add(movement)
            case .payout(let payout): try reconciler.add(payout)
            }
        }
        var recorder = Recorder()
        let summary = try await reconciler.finish(lookup: directory, into: &recorder)
        return Result(
            matches: recorder.matches,
            breaks: recorder.breaks,
            summary: summary,
            agreed: reconciler.agreedBatches
        )
    }
}

extension Inputs.Result {
    /// The types of the breaks, in the order of their names.
    var types: [BreakType] { breaks.map(\.type).sorted { $0.rawValue < $1.rawValue } }

    /// The matches of lines.
    var lineMatches: [Match] { matches.filter { $0.level == .line } }

    /// Whether every line is counted once, to the last part of a unit.
    var accountsForEveryLine: Bool {
        summary.currencies.allSatisfy { tally in
            let shares = [tally.matched, tally.broken, tally.explained]
            return shares.reduce(0) { $0 + $1.count } == tally.lines.count
                && shares.reduce(0) { $0 + $1.trillionths } == tally.lines.trillionths
        }
    }
}
