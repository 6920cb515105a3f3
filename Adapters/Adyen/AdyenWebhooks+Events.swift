import AdapterKit
import Domain
import StrictJSON

/// Reads what an item says of a payment.
///
/// Adyen promises neither order nor single delivery, so that each item is read alone. Source: Adyen's OpenAPI file of
/// its webhooks, and "Webhook structure and types", read in November 2026.
struct AdyenEventReader {
    let item: NotificationItem

    /// What an item says.
    enum News {
        /// Nothing of a payment of ours.
        case nothing
        /// One thing.
        case notice(Notice)
        /// Something of a payment that cannot be read.
        case unreadable(String)
    }

    /// What the item says.
    var news: News {
        switch item.eventCode {
        case "AUTHORISATION": authorisation
        case "CAPTURE": modification(.capture)
        case "CANCELLATION", "TECHNICAL_CANCEL": modification(.void)
        case "CANCEL_OR_REFUND": cancelOrRefund
        case "REFUND": modification(.refund)
        case "POSTPONED_REFUND": happened { about(.outcome(.refund, .pending(Progress(reference: item.reference)))) }
        case "CAPTURE_FAILED": happened { about(.reversed(.capture, failure)) }
        case "REFUND_FAILED", "REFUNDED_REVERSED": happened { about(.reversed(.refund, failure)) }
        case "EXPIRE": happened { about(.lapsed) }
        case "OFFER_CLOSED": happened { about(.outcome(.authorize, .declined(Self.offerClosed))) }
        case "CHARGEBACK": happened { dispute(.opened) }
        case "CHARGEBACK_REVERSED", "PREARBITRATION_WON": happened { dispute(.won) }
        case "SECOND_CHARGEBACK", "PREARBITRATION_LOST": happened { dispute(.lost) }
        default: .nothing
        }
    }

    /// The issuer's answer.
    ///
    /// How the payment is captured is in the metadata that we gave it; Adyen tells a capture of its own accord only if
    /// the account is set so.
    private var authorisation: News {
        guard item.isSuccess else {
            let code = item.additionalData?["refusalReasonCode"]?.stringValue.flatMap(ProtocolText.word)
            return about(.outcome(.authorize, .declined(RefusalReasons.decline(code: code, reason: item.reason))))
        }
        guard let amount else { return unreadable("no amount") }
        let summary = item.additionalData?["cardSummary"]?.stringValue.flatMap(ProtocolText.word)
        let success = Success(
            reference: item.reference,
            amount: amount,
            capturedAmount: nil,
            last4: summary.flatMap { $0.utf8.count == 4 ? $0 : nil }
        )
        return about(.outcome(.authorize, .succeeded(success)))
    }

    /// The end of what was asked for, by us or in the Customer Area.
    private func modification(_ action: Notice.Action) -> News {
        guard item.isSuccess else { return about(.outcome(action, .rejected(failure))) }
        // A cancel releases whatever was held, so that its amount is of no account.
        guard let amount = amount ?? (action == .void && item.currency != nil ? 0 : nil) else {
            return unreadable("no amount")
        }
        let captured = action == .capture ? amount : 0
        let success = Success(reference: item.reference, amount: amount, capturedAmount: captured)
        return about(.outcome(action, .succeeded(success)))
    }

    /// A reversal, which this adapter never asks for: Adyen chose between a cancel and a refund.
    private var cancelOrRefund: News {
        switch item.additionalData?["modification.action"]?.stringValue {
        case "cancel": modification(.void)
        case "refund": modification(.refund)
        default: item.isSuccess ? unreadable("neither a cancel nor a refund") : .nothing
        }
    }

    /// Money was taken back, or given again.
    private func dispute(_ state: DisputeNotice.State) -> News {
        guard let amount else { return unreadable("no amount") }
        let reason = item.additionalData?["chargebackReasonCode"]?.stringValue
            .flatMap { ProtocolText.word(String($0.filter { $0 != " " })) }
        let deadline = item.additionalData?["defensePeriodEndsAt"]?.stringValue.flatMap { RFC3339.timestamp($0) }
        return about(
            .dispute(
                DisputeNotice(
                    state: state,
                    amount: amount,
                    reason: reason,
                    respondBy: state == .opened ? deadline : nil
                )
            )
        )
    }

    /// Minor units of ISO 4217, above 0; nil if there are none.
    private var amount: Int64? {
        guard let value = item.value, value > 0 else { return nil }
        return item.currency.flatMap(AdyenUnit.init)?.minorUnits(value)
    }

    /// Why it came to nothing.
    ///
    /// Adyen gives a sentence; of these two the meaning is known.
    private var failure: Rejection {
        let reason: Rejection.Reason =
            switch (item.eventCode, item.reason) {
            case ("REFUND", "Transaction hasn't been captured, refund not possible"): .notSettledYet
            case ("CAPTURE", let text?), ("REFUND", let text?):
                text.hasPrefix("Insufficient balance on payment") ? .amountTooLarge : .unsupported
            default: .unsupported
            }
        return Rejection(
            reason,
            code: item.reason.flatMap(ProtocolText.word) ?? item.eventCode,
            message: "Adyen told \(item.eventCode) with success \(item.isSuccess); the Customer Area says why."
        )
    }

    private static let offerClosed = Decline(
        code: "OFFER_CLOSED",
        category: .actionExpired,
        message: "The buyer did not finish the payment in Adyen's time."
    )

    /// Events that only ever tell that something happened.
    private func happened(_ read: () -> News) -> News {
        item.isSuccess ? read() : unreadable("it did not happen")
    }

    private func about(_ happening: Notice.Happening) -> News {
        let isAuthorisation = item.eventCode == "AUTHORISATION"
        // A cancel by our reference has a name of its own, also where Adyen names no payment with it.
        let isByOurReference = item.eventCode == "TECHNICAL_CANCEL"
        let named = isByOurReference ? item.originalReference : item.originalReference ?? item.reference
        let payment = isAuthorisation ? item.reference : named
        let names = MerchantReference(item.merchantReference)
        let subject = Notice.Subject(
            attempt: names?.attempt?.text,
            operation: names?.operation?.text,
            payment: payment,
            object: payment == item.reference ? nil : item.reference
        )
        return .notice(Notice(about: subject, happening, at: item.at))
    }

    /// A sentence for a person who looks at the event.
    private func unreadable(_ problem: String) -> News { .unreadable("\(item.eventCode): \(problem)") }
}
