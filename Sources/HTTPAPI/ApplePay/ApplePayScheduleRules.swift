import Domain
import StrictJSON

/// The rules of recurring, automatic reload and deferred payment requests.
struct ApplePayScheduleRules {
    /// Apple's limit for the text of an agreement.
    static let billingAgreementLength = 0...500

    let items: ApplePayLineItemRules
    let now: Timestamp?

    /// Checks an `ApplePayRecurringPaymentRequest`; always true.
    func checkRecurring(_ body: ObjectReader) -> Bool {
        checkCommonFields(body)
        checkBilling(body, "regularBilling", timing: "recurring")
        checkBilling(body, "trialBilling", .optional, timing: "recurring")
        return true
    }

    /// Checks an `ApplePayAutomaticReloadPaymentRequest`; always true.
    func checkAutomaticReload(_ body: ObjectReader) -> Bool {
        checkCommonFields(body)
        checkBilling(body, "automaticReloadBilling", timing: "automaticReload") { item in
            requireField("automaticReloadPaymentThresholdAmount", of: item)
        }
        return true
    }

    /// Checks an `ApplePayDeferredPaymentRequest`; always true.
    func checkDeferred(_ body: ObjectReader) -> Bool {
        checkCommonFields(body)
        checkBilling(body, "deferredBilling", timing: "deferred") { item in
            requireField("deferredPaymentDate", of: item)
            refusePast("deferredPaymentDate", of: item)
        }
        _ = body.appleDate("freeCancellationDate")
        _ = body.string("freeCancellationDateTimeZone", .optional)
        let pair = ["freeCancellationDate", "freeCancellationDateTimeZone"]
        for (key, other) in [(pair[0], pair[1]), (pair[1], pair[0])] where !body.contains(key) && body.contains(other) {
            body.refuse(key, "missing_field", "\(other) requires it.")
        }
        return true
    }

    private func checkCommonFields(_ body: ObjectReader) {
        _ = body.string("paymentDescription", length: 1...1000)
        _ = body.string("billingAgreement", .optional, length: Self.billingAgreementLength)
        _ = body.webAddress("managementURL", schemes: ["https://", "http://"])
        _ = body.webAddress("tokenNotificationURL", .optional, schemes: ["https://"])
    }

    private func checkBilling(
        _ body: ObjectReader,
        _ key: String,
        _ presence: Presence = .required,
        timing: String,
        further: (ObjectReader) -> Void = { _ in }
    ) {
        _ = body.object(key, presence) { item in
            items.check(item, timing: timing)
            further(item)
            return true
        }
    }

    private func requireField(_ key: String, of item: ObjectReader) {
        guard !item.contains(key) else { return }
        item.refuse(key, "missing_field", "The field is required here.")
    }

    private func refusePast(_ key: String, of item: ObjectReader) {
        guard let now, let text = item.value(key, .optional)?.stringValue, let date = ISODate.timestamp(text),
            date <= now
        else { return }
        item.refuse(key, "not_in_future", "Must be a date in the future.")
    }
}

/// Dates as `Date.prototype.toJSON` and people write them: ISO 8601, the time and the zone optional.
enum ISODate {
    /// The moment of `2026-01-31`, `2026-01-31T12:00Z` or `2026-01-31T12:00:00.123+01:00`, to the millisecond; nil for
    /// anything else.
    ///
    /// Without a zone the time is read as UTC.
    static func timestamp(_ text: String) -> Timestamp? {
        guard let day = CalendarDay(text) else { return nil }
        let time = text.utf8.dropFirst(10)
        guard !time.isEmpty else { return day.start }
        // RFC 3339 takes its letters in lower case too, and does not go without seconds and zone.
        guard !time.contains(where: { "tz".utf8.contains($0) }) else { return nil }
        let clock = time.prefix { !"Z+-".utf8.contains($0) }
        let zone = time.dropFirst(clock.count)
        let complete =
            Substring(text.utf8.prefix(10)) + Substring(clock) + (clock.count == "T12:00".utf8.count ? ":00" : "")
            + (zone.isEmpty ? "Z" : Substring(zone))
        return RFC3339.timestamp(complete, .strict).map { moment in
            Timestamp(microseconds: moment.milliseconds(since: Timestamp(microseconds: 0)) * 1000)
        }
    }
}
