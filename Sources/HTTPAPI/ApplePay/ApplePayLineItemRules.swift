import Domain
import StrictJSON

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
