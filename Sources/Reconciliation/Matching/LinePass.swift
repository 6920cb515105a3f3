import Domain
import ExternalJoin

/// One pass over the lines and expectations that no earlier pass matched.
struct LinePass {
    /// How much may differ between what shares the key.
    enum Strictness {
        /// Amounts are equal, and no other reference contradicts.
        case agreeing
        /// Amounts are equal.
        case contradicting
        /// What is left differs: each pair is a break.
        case differing
    }

    let rule: ReconciliationRule
    let strictness: Strictness
    /// By how many minor units what is compared may differ.
    let toleranceMinorUnits: Int64
    let calendar: BusinessCalendar

    /// The passes of rules, in order: those by reference three times, then those by amount.
    static func all(of rules: ReconciliationRules, _ scope: ReconciliationScope) -> [LinePass] {
        let rules = rules.rules(at: .line)
        func passes(_ strictness: Strictness, isByReference: Bool) -> [LinePass] {
            rules.filter { $0.isByReference == isByReference }.map {
                LinePass(
                    rule: $0,
                    strictness: strictness,
                    toleranceMinorUnits: scope.toleranceMinorUnits ?? $0.toleranceMinorUnits,
                    calendar: scope.calendar
                )
            }
        }
        return passes(.agreeing, isByReference: true) + passes(.contradicting, isByReference: true)
            + passes(.differing, isByReference: true) + passes(.agreeing, isByReference: false)
    }

    /// The digest of a line's key; nil if it has none, or the rule is not about it.
    func digest(of line: LineRecord, _ accounts: Accounts) -> UInt64? {
        let account = Int(line.header.account)
        guard rule.scope.isUniversal || rule.scope.admits(accounts.names[account]) else { return nil }
        if case .amountAndDate = rule.key {
            guard isNameless(line), Int(line.header.decimals) == line.currency.exponent else { return nil }
            return Self.digest(line.header.units, line.header.currency, accounts.seeds[account])
        }
        guard let range = range(of: line) else { return nil }
        return line.bytes.digest(range, seed: accounts.seeds[account])
    }

    /// The digest of an expectation's key; nil if it has none, or the rule is not about it.
    func digest(of expectation: ExpectationRecord, _ accounts: Accounts) -> UInt64? {
        let account = Int(expectation.header.account)
        if !rule.scope.isUniversal {
            guard rule.scope.admits(accounts.names[account]),
                rule.scope.currency.map({ $0 == expectation.currency }) ?? true,
                rule.scope.kind.map({ $0 == expectation.header.expectationKind }) ?? true
            else { return nil }
        }
        if case .amountAndDate = rule.key {
            guard !expectation.header.isConfirmed else { return nil }
            return Self.digest(expectation.header.amount, expectation.header.currency, accounts.seeds[account])
        }
        guard let range = range(of: expectation) else { return nil }
        return expectation.bytes.digest(range, seed: accounts.seeds[account])
    }

    /// Where a line's key stands; nil if it has none.
    ///
    /// Lines by amount have theirs in the header.
    func range(of line: LineRecord) -> Range<Int>? {
        let range =
            switch rule.key {
            case .attempt: line.attempt
            case .operation: line.operation
            case .objectReference: line.object
            case .paymentReference: line.payment
            case .reference: line.mention
            case .amountAndDate, .batch, .payoutReference: 0..<0
            }
        return range.isEmpty ? nil : range
    }

    /// What a line shares with what it is matched to; nil if it has no key.
    func key(of line: LineRecord) -> SharedKey? {
        switch rule.key {
        case .attempt: line.attemptID.map { .attempt($0) }
        case .operation: line.operationID.map { .operation($0) }
        case .reference: line.mentionID.map { .attempt($0) }
        default: range(of: line).flatMap { line.text($0) }.map { .text($0) }
        }
    }

    /// Where an expectation's key stands.
    func range(of expectation: ExpectationRecord) -> Range<Int>? {
        let range =
            switch rule.key {
            case .attempt, .reference: expectation.attempt
            case .operation: expectation.header.subjectKind == 0 ? expectation.subject : 0..<0
            case .objectReference: expectation.objectReference
            case .paymentReference: expectation.paymentReference
            case .amountAndDate, .batch, .payoutReference: 0..<0
            }
        return range.isEmpty ? nil : range
    }

    /// Whether a line names nothing that a rule by reference goes by: only then its amount may speak for it.
    private func isNameless(_ line: LineRecord) -> Bool {
        line.header.kind < 4 && line.header.has(LineHeader.hasAmount) && !line.namesSomething
            && line.reference.isEmpty
    }

    private static func digest(_ amount: Int64, _ currency: UInt16, _ seed: UInt64) -> UInt64 {
        var bytes: [UInt8] = []
        bytes.append(bitsOf: amount)
        bytes.append(bitsOf: currency)
        return bytes.digest(0..<bytes.count, seed: seed)
    }
}

/// Whether a line's amounts fit each other, and what was agreed.
enum FeeCheck {
    /// What is wrong with a line.
    struct Finding {
        /// The difference in minor units and a sentence, as records hold them.
        let note: String
        /// What the line adds to its batch beyond gross less fee, in units of 10⁻¹² of the net's currency.
        let batchExcess: Int128
    }

    /// Looks at a line; nil if nothing is wrong, or it does not say enough.
    static func finding(_ line: borrowing SettlementLine, _ terms: PSPTerms) -> Finding? {
        if terms.fee == nil, addsUpPlainly(line) { return nil }
        if terms.linesAddUp, let left = line.discrepancy, left.units != 0, let net = line.net, let gross = line.gross {
            let fee = line.fee ?? .zero(gross.currency)
            let sentence = "The net of \(net) is not the gross of \(gross) less the fee of \(fee)."
            return Finding(note: note(left.trillionths, left.currency, sentence), batchExcess: left.trillionths)
        }
        guard let schedule = terms.fee, line.kind == .payment, let gross = line.gross, let fee = line.fee,
            gross.currency == fee.currency, gross.units > 0, let units = gross.minorUnits
        else { return nil }
        let agreed = schedule.fee(ofMinorUnits: units, gross.currency)
        let difference = fee.trillionths - Scale.trillionths(minorUnits: agreed, gross.currency)
        let tolerance = Scale.trillionths(minorUnits: schedule.toleranceMinorUnits, gross.currency)
        guard abs(difference) > tolerance else { return nil }
        let expected = Scale.amount(Scale.trillionths(minorUnits: agreed, gross.currency), gross.currency)
        let sentence = "The fee of \(fee) on \(gross) is not the agreed \(expected)."
        return Finding(note: note(-difference, gross.currency, sentence), batchExcess: 0)
    }

    /// Whether three amounts of one currency and precision fit, as almost all do.
    private static func addsUpPlainly(_ line: borrowing SettlementLine) -> Bool {
        guard let gross = line.gross, let net = line.net, let fee = line.fee, gross.decimals == net.decimals,
            gross.decimals == fee.decimals, gross.currency.numericCode == net.currency.numericCode,
            gross.currency.numericCode == fee.currency.numericCode
        else { return false }
        let (difference, overflow) = gross.units.subtractingReportingOverflow(fee.units)
        return !overflow && difference == net.units
    }

    private static func note(_ difference: Int128, _ currency: Currency, _ sentence: String) -> String {
        "\(currency.code) \(Scale.minorUnits(difference, currency)) \(sentence)"
    }

    /// The currency, the difference as it changes the balance, and the sentence of a note.
    static func parts(of note: String) -> (currency: Currency, difference: Int64, sentence: String)? {
        let parts = note.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let currency = Currency(code: String(parts[0])), let difference = Int64(parts[1]) else {
            return nil
        }
        return (currency, difference, String(parts[2]))
    }
}
