import AdapterKit
import Domain
import StrictJSON

/// What became of an authorization.
extension OutcomeReader {
    /// A token made of an encrypted one, or what the operation ends with instead.
    enum Tokenized {
        case token(String)
        case outcome(Outcome)
    }

    /// Reads the reply to making a token.
    ///
    /// Whatever it says, nothing that can move money has been sent.
    func token(_ reply: CheckoutReply) -> Tokenized {
        switch reply {
        case .accepted(let status, let json):
            guard status == 201, let token = json["token"]?.stringValue, token.hasPrefix("tok_") else {
                return .outcome(.notSent(reason: "Checkout.com answered something else than the token asked for."))
            }
            return .token(token)
        case .refusal(let refusal): return .outcome(rejected(.configuration, refusal))
        case .doubt(let reason): return .outcome(.notSent(reason: reason))
        }
    }

    /// Reads the reply to requesting the payment: 201 is processed, 202 is not finished.
    func authorization(_ reply: CheckoutReply, capture: Bool) -> Outcome {
        switch reply {
        case .accepted(let status, let json):
            guard let payment = ours(CheckoutPayment(json)) else {
                return unknown("Checkout.com answered something else than the payment.")
            }
            return switch (status, payment.status) {
            case (201, "Authorized"), (201, "Captured"): approved(payment, capture: capture)
            case (201, "Declined"): declined(payment)
            case (202, "Pending"): waiting(payment)
            default: unknown("HTTP \(status) with a status that Checkout.com does not document for it.")
            }
        case .refusal(let refusal): return self.refusal(refusal)
        case .doubt(let reason): return unknown(reason)
        }
    }

    private func approved(_ payment: CheckoutPayment, capture: Bool) -> Outcome {
        guard payment.isApproved == true, payment.responseCode?.hasPrefix("10") == true else {
            return unknown("Checkout.com's payment is authorized but not approved.")
        }
        return payment.status == "Captured" ? taken(payment) : held(payment, capture: capture)
    }

    private func declined(_ payment: CheckoutPayment) -> Outcome {
        guard payment.isApproved == false, payment.currency == unit.code, isAsked(payment),
            let code = payment.responseCode, CheckoutDeclines.category(code) != nil
        else { return unknown("Checkout.com's payment is declined without what Checkout.com documents.") }
        return .declined(Self.decline(code, payment.advice))
    }

    /// A payment that waits for the buyer, or for something else.
    func waiting(_ payment: CheckoutPayment) -> Outcome {
        let progress = Progress(reference: payment.id)
        return payment.redirectURL.map { .actionRequired(NextAction(kind: .redirect, url: $0), progress) }
            ?? .pending(progress)
    }

    /// A payment that holds what was approved.
    ///
    /// A sale in one call is captured a little later by Checkout.com itself, so until then it is not done.
    func held(_ payment: CheckoutPayment, capture: Bool) -> Outcome {
        guard payment.currency == unit.code, isAsked(payment), let amount = payment.approvedAmount,
            (1...asked).contains(amount), let minorUnits = unit.minorUnits(amount)
        else { return unknown("The payment holds an amount that was not asked for.") }
        if capture { return .pending(Progress(reference: payment.id)) }
        return .succeeded(success(payment, amount: minorUnits, captured: 0, expiresAt: payment.expiresAt))
    }

    /// A payment of which something was captured; the balances say how much.
    func taken(_ payment: CheckoutPayment) -> Outcome {
        guard payment.currency == unit.code, isAsked(payment), let balances = payment.balances,
            (1...asked).contains(balances.authorized), (1...balances.authorized).contains(balances.captured),
            let amount = unit.minorUnits(balances.authorized), let captured = unit.minorUnits(balances.captured)
        else { return unknown("The payment took an amount that was not asked for, or does not tell it.") }
        return .succeeded(success(payment, amount: amount, captured: captured, expiresAt: nil))
    }

    /// Whether the payment was asked for with the call's amount; what was approved may be less.
    private func isAsked(_ payment: CheckoutPayment) -> Bool {
        guard let amount = payment.amount else { return false }
        return amount <= asked && (payment.amountRequested ?? asked) == asked
    }

    private func success(
        _ payment: CheckoutPayment,
        amount: Int64,
        captured: Int64,
        expiresAt: Timestamp?
    ) -> Success {
        Success(
            reference: payment.id,
            amount: amount,
            capturedAmount: captured,
            expiresAt: expiresAt,
            network: payment.network,
            last4: payment.last4
        )
    }
}
