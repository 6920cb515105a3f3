import Domain
import Reconciliation
import StrictJSON

/// How a rule of reconciliation is written.
enum RuleSettings {
    /// The words for what two sides have to share.
    private static let keys = [
        "attempt", "operation", "object_reference", "payment_reference", "reference", "amount_and_date", "batch",
        "payout_reference",
    ]

    /// Reads a rule; nil if something is wrong, which has been noted then.
    static func rule(_ body: ObjectReader) -> ReconciliationRule? {
        let id = body.string("id", length: 1...ReconciliationRule.identifierLimit)
        let level = body.choice("level", of: MatchLevel.self)
        let key = key(body)
        let cardinality = body.choice("cardinality", .optional, of: Cardinality.self) ?? .oneToOne
        let tolerance = body.integer("tolerance", .optional, in: 0...ReconciliationRule.toleranceLimit) ?? 0
        let scope = body.object("scope", .optional, scope) ?? RuleScope()
        guard let id, let level, let key else { return nil }
        do throws(RuleRefusal) {
            return try ReconciliationRule(
                id: id,
                level: level,
                key: key,
                cardinality: cardinality,
                toleranceMinorUnits: tolerance,
                scope: scope
            )
        } catch {
            body.refuse("id", "contradiction", error.description)
            return nil
        }
    }

    private static func key(_ body: ObjectReader) -> RuleKey? {
        let word = body.string("key", oneOf: keys)
        let limit = Int64(ReconciliationRule.windowLimitDays)
        let window = body.integer("window_days", .optional, in: 0...limit)
        if window != nil, word != nil, word != "amount_and_date" {
            body.refuse("window_days", "contradiction", "Has a meaning only with key: amount_and_date.")
        }
        switch word {
        case "attempt": return .attempt
        case "operation": return .operation
        case "object_reference": return .objectReference
        case "payment_reference": return .paymentReference
        case "reference": return .reference
        case "batch": return .batch
        case "payout_reference": return .payoutReference
        case "amount_and_date":
            guard let window else {
                body.refuse("key", "missing_field", "Needs window_days, how far the dates may be apart.")
                return nil
            }
            return .amountAndDate(windowDays: Int(window))
        default: return nil
        }
    }

    private static func scope(_ body: ObjectReader) -> RuleScope? {
        RuleScope(
            psp: body.slug("psp", .optional),
            pspAccount: body.slug("psp_account", .optional),
            currency: body.parsed("currency", .optional, expecting: "a currency of ISO 4217", Currency.init(code:)),
            kind: body.choice("kind", .optional, of: Expectation.Kind.self)
        )
    }
}
