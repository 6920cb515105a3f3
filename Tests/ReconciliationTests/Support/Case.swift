import AdapterKit
import Domain
import Reconciliation
import SeededRandom
import Testing

/// A hand-made case: expectations and lines of one attempt.
struct Case {
    var inputs = Inputs()
    private var source = IdentifierSource(random: SeededRandom(seed: 7))
    private let attempt: AttemptID
    private let template: Domain.Expectation

    /// 2026-11-10T10:00:00Z.
    static let moment = Timestamp(microseconds: 1_794_304_800_000_000)

    init(_ currency: String = "USD") throws {
        attempt = source.make(at: Self.moment)
        template = Domain.Expectation(
            subject: .operation(source.make(at: Self.moment)),
            kind: .payment,
            order: source.make(at: Self.moment),
            payment: source.make(at: Self.moment),
            attempt: attempt,
            merchant: source.make(at: Self.moment),
            psp: Inputs.account.psp,
            pspAccount: Inputs.account.account,
            merchantAccount: nil,
            currency: try #require(Currency(code: currency)),
            amount: 0,
            commission: nil,
            paymentReference: nil,
            objectReference: nil,
            at: Self.moment
        )
    }

    /// Adds an expectation.
    mutating func expect(
        _ amount: Int64,
        _ kind: Domain.Expectation.Kind = .payment,
        change: (inout Domain.Expectation) -> Void = { _ in }
    ) {
        var expectation = template
        expectation.subject = .operation(source.make(at: Self.moment))
        expectation.kind = kind
        expectation.amount = amount
        change(&expectation)
        inputs.expectations.append(expectation)
    }

    /// Adds a line that names the attempt, with an amount in major units.
    mutating func report(
        _ amount: String,
        _ kind: SettlementKind = .payment,
        change: (inout SettlementLine) throws -> Void = { _ in }
    ) throws {
        var line = SettlementLine(row: inputs.lines.count + 2, kind: kind, type: kind.rawValue)
        line.gross = try SettlementAmount(decimal: amount, currency: template.currency)
        line.attempt = attempt
        line.entryReference = "entry_\(line.row)"
        line.occurredOn = SettlementDate("2026-11-10")
        try change(&line)
        inputs.lines.append(line)
    }

    /// The attempt, as the lookup knows it.
    func known(_ state: String, _ effects: [PaymentMatchCandidate.Effect] = []) -> PaymentMatchCandidate {
        PaymentMatchCandidate(
            reference: attempt.text,
            order: template.order,
            payment: template.payment,
            attempt: attempt,
            merchant: template.merchant,
            pspAccount: template.pspAccount,
            status: state,
            effects: effects
        )
    }

    mutating func know(_ state: String, _ effects: [PaymentMatchCandidate.Effect] = []) {
        inputs.directory.byAttempt[attempt] = known(state, effects)
    }
}
