import Domain
import StrictJSON

/// What may go wrong with a payment request that breaks no rule.
struct PaymentRequestWarnings {
    let draft: PaymentRequestDraft
    let contexts: [PlannedContext]
    let records: PaymentRequestPlan.Records

    /// The warnings, in the order of the contexts.
    var all: [Violation] {
        let warnings = Violations()
        guard !contexts.isEmpty else { return [] }
        warnOfShape(warnings)
        for (index, context) in contexts.enumerated() {
            warnOfIdentifier(context, warnings)
            warnOfAmount(context, behind: contexts[..<index], warnings)
            if let reason = records.reach.obstacle(to: context.merchant, in: context.amount.currency) {
                warnings.add(
                    at: context.place.appending("external_identifier"),
                    "no_route",
                    "No PSP account of the merchant takes Apple Pay here at this time: \(reason)."
                )
            }
        }
        return warnings.all
    }

    private func warnOfShape(_ warnings: Violations) {
        let place = JSONPointer.root.appending("contexts")
        if draft.agreement != nil, !records.hearsOfTokens {
            warnings.add(
                at: JSONPointer.root.appending("agreement"),
                "token_notification_url_missing",
                "The server has no https public_url, so that Apple tells of no token: that one is gone shows with a decline."
            )
        }
        if contexts.count == 1, draft.agreement == nil {
            warnings.add(
                at: place,
                "single_context",
                "A sheet with one context makes a multi-merchant token, which no order of one context takes: "
                    + "leave the contexts out."
            )
        }
        let sum = contexts.reduce(0) { $0 + $1.amount.minorUnits }
        if sum < draft.amount.minorUnits {
            warnings.add(
                at: place,
                "sum_below_total",
                "Apple allows a sum below the total, but devices are reported to demand equality."
            )
        }
        let identifiers = contexts.map { $0.context(orIdentifier: records.merchantIdentifier).merchantIdentifier }
        if let odd = contexts.indices.first(where: { identifiers[$0] != identifiers[0] }) {
            warnings.add(
                at: contexts[odd].place.appending("merchant_identifier"),
                "several_merchant_identifiers",
                "Sheets are reported to fail unless all contexts have the same merchant identifier."
            )
        }
    }

    private func warnOfIdentifier(_ context: PlannedContext, _ warnings: Violations) {
        guard context.merchant.merchantIdentifier == nil, records.merchantIdentifier == nil else { return }
        warnings.add(
            at: context.place.appending("merchant_identifier"),
            "merchant_identifier_missing",
            "Neither the merchant nor the marketplace has an Apple merchant identifier on record; the external "
                + "identifier stands in, which Apple takes only for merchants registered under it."
        )
    }

    /// Equal amounts cannot be told apart in a multi-merchant token, unless it makes no difference.
    private func warnOfAmount(
        _ context: PlannedContext,
        behind earlier: ArraySlice<PlannedContext>,
        _ warnings: Violations
    ) {
        let twin = earlier.first { $0.amount == context.amount && !$0.settlesLike(context) }
        guard let twin else { return }
        warnings.add(
            at: context.place.appending("amount"),
            "ambiguous_if_signed",
            "The context at \(twin.place) has the same amount, so the answers for the two may not be told apart."
        )
    }
}
