import AdapterKit
import Domain

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
