import AdapterKit
import Domain

/// Reads what an event says of a payment.
///
/// Source: Worldpay's description of events, version 1, read in November 2026. An event names the payment by our
/// reference only, never by Worldpay's.
struct WorldpayEventReader {
    let event: WorldpayEvent

    /// What the event says.
    ///
    /// `authorized` is told of a sale in one call, too, and not whether it is one.
    /// `settled` and `refunded` only confirm what `sentForSettlement` and `sentForRefund` said, without naming it;
    /// `error` may speak of a payout as well as of a payment. All three are left to inquiries.
    var news: WebhookNews {
        guard event.attempt != nil else { return .nothing }
        return switch (event.classification, event.type) {
        case ("payment", "authorized"):
            amount { .outcome(.authorize, .succeeded(Success(reference: nil, amount: $0, capturedAmount: nil))) }
        case ("payment", "refused"):
            notice(.outcome(.authorize, .declined(WorldpayRefusalCodes.decline(code: nil, advice: nil))), nil)
        case ("payment", "expired"): notice(.lapsed, nil)
        case ("payment", "cancelled"):
            amount { .outcome(.void, .succeeded(Success(reference: nil, amount: $0, capturedAmount: nil))) }
        case ("payment", "sentForSettlement"): captured
        case ("payment", "settlementFailed"): failed(.capture, nil, isOthers: event.reference != nil)
        case ("payment", "sentForRefund"): refunded
        case ("payment", "refundFailed"): failed(.refund, event.reference)
        case ("payment", "chargedBack"), ("chargeback", "informationRequested"): disputed
        default: .nothing
        }
    }

    /// A capture under its reference; without one it is the sale's own, made in the same call, or that of the whole payment in
    /// the portal.
    private var captured: WebhookNews {
        guard event.reference == nil else {
            return amount(object: made) {
                .outcome(.capture, .succeeded(Success(reference: made, amount: $0, capturedAmount: $0)))
            }
        }
        return amount(object: event.id) {
            .outcome(.authorize, .succeeded(Success(reference: nil, amount: $0, capturedAmount: $0)))
        }
    }

    private var refunded: WebhookNews {
        amount(object: made) { .outcome(.refund, .succeeded(Success(reference: made, amount: $0))) }
    }

    /// The name of what was made: our reference.
    ///
    /// What was made in the portal has none, or one that somebody typed and may type again: it is named after its event.
    private var made: String {
        guard let reference = event.reference, OperationReference.operation(reference) != nil else { return event.id }
        return reference
    }

    /// A dispute is named after the payment and the amount, because Worldpay does not name it.
    ///
    /// What is asked about first and charged back then is one dispute; over another amount it is another one.
    private var disputed: WebhookNews {
        let name = event.attempt.map { "dispute-\($0.text)-\(event.amount ?? 0)" }
        return amount(object: name) {
            .dispute(DisputeNotice(state: .opened, amount: $0, reason: event.type))
        }
    }

    /// What failed after all: the object that is named, or what came to the amount that is told.
    ///
    /// The rejection has the name of the event: what an event without a reference is about is found by it when it is told
    /// again.
    private func failed(_ action: Notice.Action, _ object: String?, isOthers: Bool = false) -> WebhookNews {
        let message = "Worldpay took it on and then failed (\(event.type), event \(event.id))."
        let rejection = Rejection(.unsupported, code: event.code ?? event.type, message: message)
        let hasUnit = event.currency.map { WorldpayCurrencies.takes($0) && $0.exponent == 2 } ?? false
        return notice(.reversed(action, rejection), object, amount: hasUnit ? event.amount : nil, isOthers: isOthers)
    }

    /// Something over an amount.
    ///
    /// The description of events counts every amount "with an exponent of 2", the other descriptions with the
    /// currency's own: where the two differ nothing is read, and an inquiry tells.
    private func amount(object: String? = nil, _ happening: (Int64) -> Notice.Happening) -> WebhookNews {
        guard let currency = event.currency, WorldpayCurrencies.takes(currency) else {
            return .unreadable("\(event.type): a currency that is not taken")
        }
        guard currency.exponent == 2 else { return .unreadable("\(event.type): an amount of unsure unit") }
        guard let amount = event.amount, amount > 0 else { return .unreadable("\(event.type): no amount") }
        return notice(happening(amount), object, currency)
    }

    private func notice(
        _ happening: Notice.Happening,
        _ object: String?,
        _ currency: Currency? = nil,
        amount: Int64? = nil,
        isOthers: Bool = false
    ) -> WebhookNews {
        let operation = event.reference.flatMap(OperationReference.operation)
        let subject = Notice.Subject(
            attempt: event.attempt?.text,
            operation: operation?.text,
            object: object,
            amount: amount,
            isOthers: object == event.id || (isOthers && operation == nil)
        )
        return .notice(Notice(about: subject, happening), currency)
    }
}
