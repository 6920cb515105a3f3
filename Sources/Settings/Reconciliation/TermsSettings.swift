import Domain
import Reconciliation
import StrictJSON

/// How what is agreed with a PSP is written.
enum TermsSettings {
    /// Reads the terms of a PSP, or of one of its accounts; what is left out is the standard.
    static func terms(_ body: ObjectReader) -> ReconciliationRules.Terms? {
        var terms = PSPTerms()
        let days: ClosedRange<Int64> = 0...3660
        let psp = body.slug("psp")
        let account = body.slug("psp_account", .optional)
        terms.expectedWithinDays = body.integer("expected_within_days", .optional, in: days) ?? terms.expectedWithinDays
        terms.missingAfterDays = body.integer("missing_after_days", .optional, in: days) ?? terms.missingAfterDays
        terms.bankWithinDays = body.integer("bank_within_days", .optional, in: days) ?? terms.bankWithinDays
        terms.linesAddUp = body.bool("lines_add_up", .optional) ?? terms.linesAddUp
        terms.everyCommissionHasALine =
            body.bool("every_commission_has_a_line", .optional) ?? terms.everyCommissionHasALine
        terms.merchantField = body.choice("merchant_field", .optional) ?? terms.merchantField
        terms.fee = body.object("fee", .optional, fee)
        return psp.map { ReconciliationRules.Terms(psp: $0, pspAccount: account, terms) }
    }

    private static func fee(_ body: ObjectReader) -> FeeSchedule? {
        let points = body.integer("basis_points", in: 0...10_000)
        let tolerance = body.integer("tolerance", .optional, in: 0...ReconciliationRule.toleranceLimit) ?? 0
        var fixed: [Currency: Int64] = [:]
        for (code, amount) in body.amounts("fixed") ?? [:] {
            guard let currency = Currency(code: code) else { continue }
            fixed[currency] = amount
        }
        guard let points else { return nil }
        guard let schedule = FeeSchedule(basisPoints: points, fixed: fixed, toleranceMinorUnits: tolerance) else {
            let limit = ReconciliationRule.toleranceLimit
            body.refuse("fixed", "out_of_range", "Must be from 0 to \(limit) minor units.")
            return nil
        }
        return schedule
    }
}
