import AdapterKit
import Domain
import StrictJSON

/// Reads what an event says of a payment.
///
/// Checkout.com promises delivery at least once and no order, so that every notice says all of what the event says,
/// and nothing of what it follows on. Source: "Webhook event types", read in November 2026.
struct CheckoutEventReader {
    let event: CheckoutEvent
    /// The platform's own entity.
    let ownEntity: String?

    /// What an event says.
    enum News {
        /// Nothing of a payment of ours.
        case nothing
        /// One thing.
        case notice(Said)
        /// Something of a payment that cannot be read.
        case unreadable(String)
    }

    /// One thing that an event says.
    struct Said {
        var notice: Notice
        var currency: Currency
        var merchantAccount: NoticeAccount
    }

    /// What the event says.
    ///
    /// `payment_pending` is left out because it says less than the answer to the request did: not where to send the
    /// buyer.
    var news: News {
        switch event.type {
        case "payment_approved": authorized
        case "payment_declined", "payment_authentication_failed": authorization(.declined(decline))
        case "payment_canceled": authorization(.declined(canceled))
        case "payment_expired": payment { _ in .lapsed }
        case "payment_captured": done(.capture)
        case "payment_voided": done(.void)
        case "payment_refunded": done(.refund)
        case "payment_capture_pending": action { .outcome(.capture, .pending(Progress(reference: $0))) }
        case "payment_refund_pending": action { .outcome(.refund, .pending(Progress(reference: $0))) }
        case "payment_capture_declined": action { _ in .outcome(.capture, .declined(decline)) }
        case "payment_void_declined": action { _ in .outcome(.void, .rejected(rejection)) }
        case "payment_refund_declined": action { _ in .outcome(.refund, .rejected(rejection)) }
        default: event.type.hasPrefix("dispute_") ? dispute : .nothing
        }
    }

    /// An event of a payment: `happening` is given what turns its amounts into minor units.
    private func payment(
        object: String? = nil,
        _ happening: (Unit) -> Notice.Happening?
    ) -> News {
        guard let payment = event.name("id", "pay_") else { return unreadable("no payment") }
        guard let unit = Unit(event.text("currency")) else { return unreadable("a currency that is not taken") }
        guard let happening = happening(unit) else { return unreadable("no amount") }
        let subject = Notice.Subject(attempt: attempt, operation: operation, payment: payment, object: object)
        return .notice(
            Said(
                notice: Notice(about: subject, happening, at: event.at),
                currency: unit.currency,
                merchantAccount: account
            )
        )
    }

    /// The sub-entity, which only our own metadata names: metadata of ours without one is of a payment of the platform's,
    /// and an action in the dashboard has none.
    private var account: NoticeAccount {
        guard let metadata = event.data["metadata"] else { return .unsaid }
        if let name = metadata["merchant_account"]?.stringValue { return .merchant(name) }
        return metadata["attempt"] == nil && metadata["operation"] == nil ? .unsaid : .platform(ownEntity)
    }

    private func authorization(_ outcome: Outcome) -> News { payment { _ in .outcome(.authorize, outcome) } }

    /// An event of a capture, a void or a refund, which has a name of its own.
    private func action(_ happening: (String) -> Notice.Happening) -> News {
        guard let action = event.name("action_id", "act_") else { return unreadable("no action") }
        return payment(object: action) { _ in happening(action) }
    }

    private var authorized: News {
        payment { unit in
            unit.minorUnits(event.data["amount"]).map { amount in
                let success = Success(
                    reference: event.name("id", "pay_"),
                    amount: amount,
                    network: event.data["source"]?["scheme"]?.stringValue.flatMap(ProtocolText.word),
                    last4: event.data["source"]?["last_4"]?.stringValue.flatMap(ProtocolText.word)
                )
                return .outcome(.authorize, .succeeded(success))
            }
        }
    }

    private func done(_ kind: Notice.Action) -> News {
        guard let action = event.name("action_id", "act_") else { return unreadable("no action") }
        return payment(object: action) { unit in
            unit.minorUnits(event.data["amount"]).map { amount -> Notice.Happening in
                let captured: Int64 =
                    switch kind {
                    case .capture: amount
                    // What somebody took of a hold whose rest is released, which may be all that tells of it.
                    case .void: unit.minorUnits(event.data["balances"]?["total_captured"]) ?? 0
                    case .authorize, .refund: 0
                    }
                return .outcome(kind, .succeeded(Success(reference: action, amount: amount, capturedAmount: captured)))
            }
        }
    }

    private var decline: Decline {
        CheckoutOutcomeReader.decline(event.text("response_code"), CheckoutAdvice(event.data["processing"]))
    }

    private var canceled: Decline {
        Decline(code: "canceled", category: .actionExpired, message: "The buyer called the payment off.")
    }

    private var rejection: Rejection {
        Rejection(.unsupported, code: decline.code, message: decline.message)
    }

    /// Our attempt: in the metadata, or the reference of the payment.
    private var attempt: String? {
        [event.data["metadata"]?["attempt"]?.stringValue, event.text("reference")].lazy
            .compactMap { $0.flatMap { AttemptID($0) }?.text }.first
    }

    /// Our operation: the reference of an action, else in the metadata, which may be the payment's.
    private var operation: String? {
        [event.text("reference"), event.data["metadata"]?["operation"]?.stringValue].lazy
            .compactMap { $0.flatMap { OperationID($0) }?.text }.first
    }

    /// A sentence for a person who looks at the event.
    func unreadable(_ problem: String) -> News { .unreadable("\(event.type): \(problem)") }
}

/// News of disputes.
extension CheckoutEventReader {
    /// What a dispute's event says, if it opens or decides it.
    var dispute: News {
        guard let state = disputeState else { return .nothing }
        guard let dispute = event.name("id", "dsp_"), let payment = event.name("payment_id", "pay_") else {
            return unreadable("no dispute of a payment")
        }
        guard let unit = Unit(event.text("currency")), let amount = unit.minorUnits(event.data["amount"]) else {
            return unreadable("no amount")
        }
        let news = DisputeNotice(
            state: state,
            amount: amount,
            reason: event.word("category") ?? event.word("reason_code"),
            respondBy: state == .opened ? event.text("evidence_required_by").flatMap { RFC3339.timestamp($0) } : nil
        )
        let subject = Notice.Subject(
            attempt: event.text("payment_reference").flatMap { AttemptID($0) }?.text,
            payment: payment,
            object: dispute
        )
        return .notice(
            Said(
                notice: Notice(about: subject, .dispute(news), at: event.at),
                currency: unit.currency,
                merchantAccount: disputed
            )
        )
    }

    /// Money is taken when evidence is asked for, and given back when a dispute is won, canceled, or resolved because
    /// the payment had been refunded.
    ///
    /// A dispute that was accepted, or not answered in time, is lost. The other types decide nothing.
    private var disputeState: DisputeNotice.State? {
        switch event.type {
        case "dispute_received", "dispute_evidence_required": .opened
        case "dispute_won", "dispute_arbitration_won", "dispute_canceled", "dispute_resolved": .won
        case "dispute_lost", "dispute_arbitration_lost", "dispute_accepted", "dispute_expired": .lost
        default: nil
        }
    }

    /// The sub-entity whose dispute it is.
    ///
    /// The platform's own entity stands there wherever the platform is paid, also for a payment with a sub-entity on its
    /// route, so that it says nothing of the route; nor does any entity without the platform's own to compare with.
    private var disputed: NoticeAccount {
        guard let ownEntity, let entity = event.name("entity_id", "ent_"), entity != ownEntity else { return .unsaid }
        return .merchant(entity)
    }
}

extension CheckoutEventReader {
    /// A currency and Checkout.com's unit of it.
    struct Unit {
        var currency: Currency
        var checkout: CheckoutUnit

        /// Looks up a currency; nil if Checkout.com does not take it.
        init?(_ code: String?) {
            guard let currency = code.flatMap({ Currency(code: $0) }), let checkout = CheckoutUnit(currency) else {
                return nil
            }
            self.currency = currency
            self.checkout = checkout
        }

        /// Minor units of an amount above 0; nil if it is none.
        func minorUnits(_ amount: JSON?) -> Int64? {
            amount?.integerValue.flatMap { $0 > 0 ? checkout.minorUnits($0) : nil }
        }
    }
}
