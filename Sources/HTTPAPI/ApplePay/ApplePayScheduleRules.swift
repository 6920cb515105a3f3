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
    /// The moment of `2026-01-31`, `2026-01-31T12:00Z` or `2026-01-31T12:00:00.123+01:00`; nil for anything else.
    ///
    /// Without a zone the time is read as UTC.
    static func timestamp(_ text: String) -> Timestamp? {
        var rest = text.utf8[...]
        guard let year = number(&rest, digits: 4), skip("-", &rest), let month = number(&rest, digits: 2),
            skip("-", &rest), let day = number(&rest, digits: 2),
            (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year)
        else { return nil }
        let midnight = days(year: year, month: month, day: day) * 86_400_000
        guard !rest.isEmpty else { return Timestamp(microseconds: midnight * 1000) }
        guard skip("T", &rest), let time = milliseconds(&rest), let offset = zoneOffset(&rest), rest.isEmpty else {
            return nil
        }
        return Timestamp(microseconds: (midnight + time - offset) * 1000)
    }

    /// `12:00`, `12:00:00` or `12:00:00.123`.
    private static func milliseconds(_ rest: inout Substring.UTF8View) -> Int64? {
        guard let hour = number(&rest, digits: 2), hour < 24, skip(":", &rest),
            let minute = number(&rest, digits: 2), minute < 60
        else { return nil }
        var time = (hour * 60 + minute) * 60_000
        guard skip(":", &rest) else { return time }
        guard let second = number(&rest, digits: 2), second < 60 else { return nil }
        time += second * 1000
        guard skip(".", &rest) else { return time }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count), let fraction = Int64(String(Substring(digits.prefix(3)))) else {
            return nil
        }
        rest = rest.dropFirst(digits.count)
        return time + fraction * [100, 10, 1][min(digits.count, 3) - 1]
    }

    /// Nothing, `Z`, `+01:00` or `-01:00`.
    private static func zoneOffset(_ rest: inout Substring.UTF8View) -> Int64? {
        if rest.isEmpty || skip("Z", &rest) { return 0 }
        let isWest = skip("-", &rest)
        guard isWest || skip("+", &rest), let hour = number(&rest, digits: 2), hour < 24, skip(":", &rest),
            let minute = number(&rest, digits: 2), minute < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hour * 60 + minute) * 60_000
    }

    private static func number(_ rest: inout Substring.UTF8View, digits: Int) -> Int64? {
        let head = rest.prefix(digits)
        guard head.count == digits, head.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return head.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func skip(_ letter: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
    }

    /// Days since 1970-01-01, counted by years, leap days and months.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400
        let inYear = (1..<month).reduce(0) { $0 + length(ofMonth: $1, year: year) }
        return before * 365 + leapDays + inYear + day - 1 - 719_162
    }
}
