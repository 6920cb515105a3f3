package import Domain
package import StrictJSON

/// A draft checked against the split rules and the merchants' records.
package struct PaymentRequestPlan: Hashable, Sendable {
    /// What was asked for.
    package let draft: PaymentRequestDraft
    /// What the total is called on the sheet.
    package let label: String
    /// The contexts with what the records add; nil for a sheet without.
    package let contexts: [Context]?
    /// What may go wrong with it.
    package let warnings: [Violation]

    /// A context as Apple wants it.
    package struct Context: Hashable, Sendable {
        /// The merchant's Apple identifier, else the marketplace's, else the external identifier.
        package let merchantIdentifier: String
        /// The merchant's stable identifier.
        package let externalIdentifier: String
        /// The merchant's name.
        package let merchantName: String
        /// The merchant's domain, if it is registered with one.
        package let merchantDomain: String?
        /// The amount.
        package let amount: Money
    }

    /// What a draft is checked against.
    struct Ground {
        let label: String
        let merchantIdentifier: String?
        let merchants: [String: Merchant]
        let reach: ApplePayReach
    }

    /// Plans a request.
    ///
    /// - Throws: ``PaymentRequestRefusal/invalid(_:)`` with every reason at once.
    init(_ draft: PaymentRequestDraft, on ground: Ground) throws(PaymentRequestRefusal) {
        self.draft = draft
        label = draft.label ?? ground.label
        let violations = Violations()
        Self.checkTotal(draft.amount, violations)
        let asked = draft.contexts ?? []
        let amounts = asked.compactMap { context in
            try? Money(minorUnits: context.amount, currency: context.currency ?? draft.amount.currency)
        }
        guard amounts.count == asked.count else { throw .invalid([Self.negative]) }
        if draft.contexts != nil { Self.checkSplit(draft, zip(asked, amounts).map(Self.tokenContext), violations) }
        var planned: [PlannedContext] = []
        for (index, (context, amount)) in zip(asked, amounts).enumerated() {
            let place = JSONPointer.root.appending("contexts").appending(index)
            guard let merchant = ground.merchants[context.externalIdentifier] else {
                violations.add(
                    at: place.appending("external_identifier"),
                    "unknown_merchant",
                    "The marketplace has no merchant with this external identifier."
                )
                continue
            }
            let part = PlannedContext(asked: context, merchant: merchant, amount: amount, place: place)
            part.check(violations)
            planned.append(part)
        }
        guard violations.isEmpty else { throw .invalid(violations.all) }
        contexts = draft.contexts == nil ? nil : planned.map { $0.context(orIdentifier: ground.merchantIdentifier) }
        warnings = PaymentRequestWarnings(draft: draft, contexts: planned, ground: ground).all
    }

    /// The most a sheet takes, in the currency's major unit.
    private static let greatestTotal: Int64 = 100_000_000

    private static let negative = Violation(
        pointer: "/contexts",
        code: "out_of_range",
        detail: "Every context's amount is at least 1 minor unit."
    )

    private static func tokenContext(_ context: PaymentRequestDraft.Context, _ amount: Money) -> TokenContext {
        TokenContext(externalIdentifier: context.externalIdentifier, amount: amount)
    }

    /// Apple's amounts have two decimal digits at most, and a sheet takes no more than a hundred million.
    private static func checkTotal(_ total: Money, _ violations: Violations) {
        guard total.currency.exponent <= 2 else {
            return violations.add(
                at: JSONPointer.root.appending("currency"),
                "currency_not_representable",
                "Apple's amounts have two decimal digits at most, and \(total.currency) has \(total.currency.exponent)."
            )
        }
        let unit: Int64 = total.currency.exponent == 0 ? 1 : total.currency.exponent == 1 ? 10 : 100
        guard total.minorUnits > greatestTotal * unit else { return }
        violations.add(
            at: JSONPointer.root.appending("amount"),
            "out_of_range",
            "A sheet takes at most \(greatestTotal * unit)."
        )
    }

    private static func checkSplit(
        _ draft: PaymentRequestDraft,
        _ contexts: [TokenContext],
        _ violations: Violations
    ) {
        do throws(SplitRefusals) {
            _ = try Split(total: draft.amount, contexts: contexts, acceptsResidual: draft.acceptsResidual)
        } catch {
            for refusal in error.all { violations.add(refusal.violation) }
        }
    }
}
