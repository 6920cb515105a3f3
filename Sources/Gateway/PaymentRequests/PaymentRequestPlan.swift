import AdapterKit
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
        /// The merchant.
        package let merchant: MerchantID
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
    struct Records {
        let label: String
        let merchantIdentifier: String?
        let merchants: [String: Merchant]
        let reach: ApplePayReach
        /// Whether Apple can tell of the merchant tokens of agreements.
        let hearsOfTokens: Bool
    }

    /// Plans a request.
    ///
    /// - Throws: ``PaymentRequestRefusal/invalid(_:)`` with every reason at once.
    init(_ draft: PaymentRequestDraft, on records: Records) throws(PaymentRequestRefusal) {
        self.draft = draft
        label = draft.label ?? records.label
        let violations = Violations()
        Self.checkTotal(draft.amount, violations)
        let asked = draft.contexts ?? []
        let amounts = asked.compactMap { context in
            try? Money(minorUnits: context.amount, currency: context.currency ?? draft.amount.currency)
        }
        guard amounts.count == asked.count else { throw .invalid([Self.negative]) }
        if draft.agreement != nil, asked.count != 1 {
            violations.add(
                at: JSONPointer.root.appending("agreement"),
                "agreement_needs_one_context",
                "Apple's automatic payments are of one merchant: send one context."
            )
        }
        if draft.contexts != nil { Self.checkSplit(draft, zip(asked, amounts).map(Self.tokenContext), violations) }
        var planned: [PlannedContext] = []
        for (index, (context, amount)) in zip(asked, amounts).enumerated() {
            let place = JSONPointer.root.appending("contexts").appending(index)
            guard let merchant = records.merchants[context.externalIdentifier] else {
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
        contexts = draft.contexts == nil ? nil : planned.map { $0.context(orIdentifier: records.merchantIdentifier) }
        warnings = PaymentRequestWarnings(draft: draft, contexts: planned, records: records).all
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

/// A context of a payment request beside its merchant's record.
struct PlannedContext {
    let asked: PaymentRequestDraft.Context
    let merchant: Merchant
    let amount: Money
    /// Where the context stands in the body.
    let place: JSONPointer

    /// Refuses a paused merchant, and whatever differs from the record.
    func check(_ violations: Violations) {
        merchant.check(
            identifier: asked.merchantIdentifier,
            name: asked.merchantName,
            domain: asked.merchantDomain,
            at: place,
            violations
        )
    }

    /// The context as Apple wants it.
    func context(orIdentifier identifier: String?) -> PaymentRequestPlan.Context {
        PaymentRequestPlan.Context(
            merchant: merchant.id,
            merchantIdentifier: merchant.merchantIdentifier ?? identifier ?? merchant.externalIdentifier,
            externalIdentifier: merchant.externalIdentifier,
            merchantName: merchant.name,
            merchantDomain: merchant.domain,
            amount: amount
        )
    }

    /// Whether whatever pays for one of the two ends up in the same place whichever it is.
    func settlesLike(_ other: PlannedContext) -> Bool {
        let places = [self, other].map { context in
            context.merchant.routes.map { [$0.pspAccount, $0.merchantAccount] }
        }
        return places[0] == places[1]
    }
}

/// Which merchants' routes could take an Apple Pay token, before there is one.
struct ApplePayReach {
    /// The marketplace's accounts by name.
    let accounts: [String: PSPAccount]
    /// What each PSP can do, by its name.
    let capabilities: [String: Capabilities]

    /// Why none of a merchant's routes could; nil if one could.
    func obstacle(to merchant: Merchant, in currency: Currency) -> String? {
        guard !merchant.routes.isEmpty else { return "it has no routes" }
        var reasons: [String] = []
        for route in merchant.routes {
            guard let reason = obstacle(on: route, currency) else { return nil }
            reasons.append("\(route.pspAccount) \(reason)")
        }
        return reasons.joined(separator: "; ")
    }

    private func obstacle(on route: Merchant.Route, _ currency: Currency) -> String? {
        guard let account = accounts[route.pspAccount], let can = capabilities[account.psp] else {
            return "is no PSP account"
        }
        if account.status == .paused { return "is paused" }
        let needed: CredentialKind = route.applePay == .passThrough ? .encryptedApplePay : .networkToken
        if !can.credentials.contains(needed) { return "takes no \(needed.rawValue)" }
        if !route.currencies.isEmpty, !route.currencies.contains(currency.code) {
            return "does not serve \(currency.code)"
        }
        if let exponent = can.exponents[currency.code], exponent == nil { return "does not take \(currency.code)" }
        if !route.wallets.isEmpty, !route.wallets.contains("apple_pay") { return "does not serve apple_pay" }
        return nil
    }
}
