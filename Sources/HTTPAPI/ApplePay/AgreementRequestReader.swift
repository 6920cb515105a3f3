import Domain
import Gateway
import StrictJSON

/// Reads `agreement` of a payment request: what the buyer agrees to, and how Apple's sheet says it.
///
/// The rules are Apple's for recurring, automatic reload and deferred payment requests (`ApplePayScheduleRules`), in our own words.
struct AgreementRequestReader {
    /// The most characters of a description.
    private static let descriptionLimit = 200

    /// The currency of the request; nil if it has none that is one.
    let currency: Currency?
    /// What time it is: what is put off has to lie ahead.
    let now: Timestamp

    /// Reads it; nil where a violation was recorded.
    func read(_ body: ObjectReader) -> PaymentRequestDraft.Agreement? {
        let type = body.choice("type", of: AgreementType.self)
        let description = body.string("description", length: 1...Self.descriptionLimit, by: TextRule.freeText.accept)
        let text = body.string(
            "agreement_text",
            .optional,
            length: ApplePayScheduleRules.billingAgreementLength,
            by: TextRule.freeText.accept
        )
        let management = body.webAddress("management_url", schemes: ["https://", "http://"])
        let maximum = body.integer("maximum_amount", .optional, in: 1 ... .max)
        let reference = body.string("reference", .optional, length: 1...128, by: TextRule.reference.accept)
        let billing = body.object("billing") { readItem($0, type, isTrial: false) }
        let trial = type == .recurring ? body.object("trial", .optional) { readItem($0, type, isTrial: true) } : nil
        let cancellation = type == .deferred ? body.object("free_cancellation", .optional, readCancellation) : nil
        if let maximum, let billing, maximum < billing.amount {
            body.refuse("maximum_amount", "out_of_range", "Must be at least the amount of billing.")
        }
        guard let type, let description, let management, let billing, let currency else { return nil }
        var members: [JSON.Member] = [
            .init("paymentDescription", .string(description)), .init(type.billingKey, billing.json),
            .init("managementURL", .string(management)),
        ]
        if let trial { members.append(.init("trialBilling", trial.json)) }
        if let text { members.append(.init("billingAgreement", .string(text))) }
        members += cancellation ?? []
        return PaymentRequestDraft.Agreement(
            terms: AgreementTerms(
                type: type,
                currency: currency,
                bound: .maximum(maximum ?? billing.amount),
                description: description
            ),
            reference: reference,
            sheet: .object(members)
        )
    }

    private struct Item {
        let amount: Int64
        let json: JSON
    }

    /// A trial may cost nothing.
    private func readItem(_ body: ObjectReader, _ type: AgreementType?, isTrial: Bool) -> Item? {
        let label = body.string("label", length: 1...128, by: TextRule.freeText.accept)
        let amount = body.integer("amount", in: (isTrial ? 0 : 1) ... .max)
        var members: [JSON.Member?] = []
        switch type {
        case .recurring: members = readInterval(body)
        case .automaticReload:
            let threshold = body.integer("threshold_amount", in: 0 ... .max)
            members = [
                .init("paymentTiming", "automaticReload"),
                threshold.flatMap(decimal).map { .init("automaticReloadPaymentThresholdAmount", .string($0)) },
            ]
        case .deferred:
            let date = readDate("date", .required, of: body)
            if let date, date.moment <= now {
                body.refuse("date", "not_in_future", "Must be a date in the future.")
            }
            members = [
                .init("paymentTiming", "deferred"), date.map { .init("deferredPaymentDate", .string($0.text)) },
            ]
        case nil: for key in body.keys { body.ignore(key) }
        }
        guard let label, let amount, let decimal = decimal(amount) else { return nil }
        let head: [JSON.Member] = [
            .init("label", .string(label)), .init("type", "final"), .init("amount", .string(decimal)),
        ]
        return Item(amount: amount, json: .object(head + members.compactMap(\.self)))
    }

    private func readInterval(_ body: ObjectReader) -> [JSON.Member?] {
        let unit = body.string("interval_unit", .optional, oneOf: ApplePayVocabulary.intervalUnits)
        let count = body.integer("interval_count", .optional, in: 1...1000)
        let start = readDate("start", .optional, of: body)
        let end = readDate("end", .optional, of: body)
        if let start, let end, end.moment < start.moment {
            body.refuse("end", "end_before_start", "Must not be before start.")
        }
        return [
            .init("paymentTiming", "recurring"), unit.map { .init("recurringPaymentIntervalUnit", .string($0)) },
            count.map { .init("recurringPaymentIntervalCount", .integer($0)) },
            start.map { .init("recurringPaymentStartDate", .string($0.text)) },
            end.map { .init("recurringPaymentEndDate", .string($0.text)) },
        ]
    }

    /// Both or neither, as Apple wants it.
    private func readCancellation(_ body: ObjectReader) -> [JSON.Member]? {
        let until = readDate("until", .required, of: body)
        let zone = body.parsed("time_zone", expecting: "a time zone of the tz database, such as America/New_York") {
            TimeZoneName.isValid($0) ? $0 : nil
        }
        guard let until, let zone else { return nil }
        return [
            .init("freeCancellationDate", .string(until.text)), .init("freeCancellationDateTimeZone", .string(zone)),
        ]
    }

    private func readDate(
        _ key: String,
        _ presence: Presence,
        of body: ObjectReader
    ) -> (text: String, moment: Timestamp)? {
        body.parsed(key, presence, expecting: "an ISO 8601 date") { text in
            ISODate.timestamp(text).map { (text: text, moment: $0) }
        }
    }

    private func decimal(_ amount: Int64) -> String? {
        currency.flatMap { try? Money(minorUnits: amount, currency: $0) }?.decimal
    }
}

extension AgreementType {
    /// What Apple calls the part of a request that says what is charged.
    fileprivate var billingKey: String {
        switch self {
        case .recurring: "regularBilling"
        case .automaticReload: "automaticReloadBilling"
        case .deferred: "deferredBilling"
        }
    }

    /// What Apple calls the request for it.
    var applePayKey: String {
        switch self {
        case .recurring: "recurringPaymentRequest"
        case .automaticReload: "automaticReloadPaymentRequest"
        case .deferred: "deferredPaymentRequest"
        }
    }
}
