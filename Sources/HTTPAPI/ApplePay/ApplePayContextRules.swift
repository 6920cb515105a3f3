import Domain
import StrictJSON

/// The rules of `multiTokenContexts`: one buyer's consent divided among merchants.
struct ApplePayContextRules {
    static let key = "multiTokenContexts"

    /// One context as far as it could be read.
    struct Context {
        let place: JSONPointer
        let merchantIdentifier: String?
        let externalIdentifier: String?
        let merchantName: String?
        let amount: ApplePayAmount?
    }

    let body: ObjectReader
    let warnings: Violations
    let currency: Currency?

    /// Checks the contexts, and their sum against the total if both could be read.
    func check(total: ApplePayAmount?) {
        var contexts: [Context] = []
        _ = body.array(Self.key, .optional, count: 1...10_000) { item -> Bool? in
            contexts.append(read(item))
            return true
        }
        guard !contexts.isEmpty else { return }
        refuseDuplicates(contexts)
        checkSum(contexts, total)
        warnOfEqualAmounts(contexts)
        warnOfMerchantIdentifiers(contexts)
        warnOfTwoIdentifiers(contexts)
    }

    private func read(_ item: ObjectReader) -> Context {
        let merchantIdentifier = item.string("merchantIdentifier", by: TextRule.identifier.accept)
        let externalIdentifier = item.string("externalIdentifier", by: TextRule.identifier.accept)
        let merchantName = item.string("merchantName", by: TextRule.freeText.accept)
        _ = item.string("merchantDomain", .optional, length: 1...253)
        let amount = item.appleAmount("amount", in: currency, sign: .positive)
        return Context(
            place: item.pointer,
            merchantIdentifier: merchantIdentifier,
            externalIdentifier: externalIdentifier,
            merchantName: merchantName,
            amount: amount
        )
    }

    private func refuseDuplicates(_ contexts: [Context]) {
        var firsts: [String: Int] = [:]
        for (index, context) in contexts.enumerated() {
            guard let identifier = context.externalIdentifier else { continue }
            guard let first = firsts[identifier] else {
                firsts[identifier] = index
                continue
            }
            body.violations.add(
                at: context.place.appending("externalIdentifier"),
                "duplicate_external_identifier",
                "The context at \(contexts[first].place) is for the same merchant; one order has one context a merchant."
            )
            if let name = context.merchantName, let other = contexts[first].merchantName, name != other {
                body.violations.add(
                    at: context.place.appending("merchantName"),
                    "conflicting_merchant_name",
                    "The context at \(contexts[first].place) has the same external identifier under another name."
                )
            }
        }
    }

    private func checkSum(_ contexts: [Context], _ total: ApplePayAmount?) {
        let amounts = contexts.compactMap(\.amount)
        guard amounts.count == body.value(Self.key)?.arrayValue?.count else { return }
        guard let sum = ApplePayAmount.sum(amounts) else {
            return body.refuse(Self.key, "amount_overflow", "The contexts' sum is more than any sheet takes.")
        }
        guard let total else { return }
        if sum.hundredths > total.hundredths {
            let detail = "The contexts must not sum to more than the total: the sheet is canceled."
            body.refuse(Self.key, "sum_exceeds_total", detail)
        } else if sum.hundredths < total.hundredths {
            let detail = "Apple allows a sum below the total, but devices are reported to demand equality."
            warnings.add(at: body.pointer(to: Self.key), "sum_below_total", detail)
        }
    }

    private func warnOfEqualAmounts(_ contexts: [Context]) {
        var firsts: [ApplePayAmount: Int] = [:]
        for (index, context) in contexts.enumerated() {
            guard let amount = context.amount else { continue }
            guard let first = firsts[amount] else {
                firsts[amount] = index
                continue
            }
            let detail =
                "The context at \(contexts[first].place) has the same amount, so the answers for the two may not be told apart."
            warnings.add(at: context.place.appending("amount"), "ambiguous_if_signed", detail)
        }
    }

    private func warnOfMerchantIdentifiers(_ contexts: [Context]) {
        guard let first = contexts.lazy.compactMap(\.merchantIdentifier).first else { return }
        for context in contexts {
            guard let identifier = context.merchantIdentifier, identifier != first else { continue }
            let detail = "Sheets are reported to fail unless all contexts have the same merchant identifier."
            return warnings.add(
                at: context.place.appending("merchantIdentifier"),
                "several_merchant_identifiers",
                detail
            )
        }
    }

    /// Apple wants the same external identifier for the same merchant, always.
    private func warnOfTwoIdentifiers(_ contexts: [Context]) {
        var firsts: [String: Int] = [:]
        for (index, context) in contexts.enumerated() {
            guard let name = context.merchantName, let identifier = context.externalIdentifier else { continue }
            guard let first = firsts[name] else {
                firsts[name] = index
                continue
            }
            guard contexts[first].externalIdentifier != identifier else { continue }
            let detail = "The context at \(contexts[first].place) has the same name under another external identifier."
            warnings.add(at: context.place.appending("externalIdentifier"), "merchant_under_two_identifiers", detail)
        }
    }
}

/// The rules of `ApplePayLineItem`, which carries totals, lines and schedules.
struct ApplePayLineItemRules {
    let currency: Currency?

    /// Checks an item and answers its amount.
    @discardableResult
    func check(_ item: ObjectReader, timing: String? = nil) -> ApplePayAmount? {
        _ = item.string("label", length: 1...1000)
        let amount = item.appleAmount("amount", in: currency)
        _ = item.string("type", .optional, oneOf: ApplePayVocabulary.itemTypes)
        let presence: Presence = timing == nil ? .optional : .required
        let found = item.string("paymentTiming", presence, oneOf: ApplePayVocabulary.timings)
        if let timing, let found, found != timing {
            item.refuse("paymentTiming", "wrong_timing", "Must be \(timing) here.")
        }
        checkRecurrence(item)
        _ = item.appleDate("deferredPaymentDate")
        _ = item.appleAmount("automaticReloadPaymentThresholdAmount", .optional, in: currency, sign: .notNegative)
        return amount
    }

    private func checkRecurrence(_ item: ObjectReader) {
        let start = item.appleDate("recurringPaymentStartDate")
        let end = item.appleDate("recurringPaymentEndDate")
        if let start, let end, end < start {
            item.refuse("recurringPaymentEndDate", "end_before_start", "Must not be before the start.")
        }
        _ = item.string("recurringPaymentIntervalUnit", .optional, oneOf: ApplePayVocabulary.intervalUnits)
        _ = item.integer("recurringPaymentIntervalCount", .optional, in: 1...2_147_483_647)
    }
}
