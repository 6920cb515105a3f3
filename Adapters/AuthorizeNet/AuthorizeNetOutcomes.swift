import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Authorize.Net's replies.
struct AuthorizeNetOutcomeReader {
    let call: Call
    /// The account's currency, in which all amounts are.
    let currency: Currency

    /// A refusal, by its code.
    struct Refusal {
        /// A reason code, or the code of a call that was not carried out.
        var code: String
        /// A sentence for the operator, without anything that was sent.
        var sentence: String

        /// A refused transaction.
        init(_ response: TransactionResponse) {
            code = response.error ?? response.message ?? "none"
            let transaction = response.id.map { ", transaction \($0)" } ?? ""
            sentence = "Authorize.Net answered response code \(response.responseCode), reason \(code)\(transaction)."
        }

        /// A call that was not carried out.
        init(code: String) {
            self.code = code
            sentence = "Authorize.Net answered \(code)."
        }
    }

    /// What the call is for, in minor units.
    var asked: Int64 { call.money.minorUnits }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// A rejection for a refusal's reason, with what was captured of the transaction ever, in minor units, where its details
    /// were read.
    func rejected(_ reason: Rejection.Reason, _ refusal: Refusal, captured: Int64? = nil) -> Outcome {
        .rejected(Rejection(reason, code: refusal.code, message: refusal.sentence, captured: captured))
    }

    /// Authorize.Net has no trace of what was asked after.
    func notFound(_ thing: String) -> Outcome {
        .rejected(Rejection(.notFound, code: CallErrors.notFound, message: "Authorize.Net has no such \(thing)."))
    }

    /// The transaction in a reply, if it is the one named and carries our name.
    func details(_ reply: AuthorizeNetReply, of payment: String) -> TransactionDetails? {
        guard case .ok(let json) = reply, let details = TransactionDetails(json, in: currency), details.id == payment,
            details.invoiceNumber == ShortName(call.attempt).text
        else { return nil }
        return details
    }
}

/// What became of a transaction that was sent.
extension AuthorizeNetOutcomeReader {
    /// What a reply says, or a refusal that only the transaction's state explains.
    enum Reading {
        case outcome(Outcome)
        case unexplained(Refusal)
    }

    /// Reads the reply to a transaction; `payment` is what it was done to.
    ///
    /// The reply repeats our name for the operation, but neither amount nor currency.
    func transaction(_ reply: AuthorizeNetReply, of payment: String?) -> Reading {
        guard let json = reply.json else { return .outcome(doubt(reply)) }
        guard let response = TransactionResponse(json["transactionResponse"]) else {
            return .outcome(refusedCall(reply))
        }
        guard !response.isTest else {
            let message = "The account is in test mode, in which nothing is processed."
            return .outcome(.rejected(Rejection(.configuration, code: "test_mode", message: message)))
        }
        switch response.responseCode {
        case "1":
            guard case .ok = reply, response.error == nil else {
                return .outcome(unknown("Authorize.Net approved and refused at once."))
            }
            return approved(response, json["profileResponse"], of: payment)
        case "2": return .outcome(declined(response))
        case "3": return refused(response)
        case "4": return .outcome(held(response, of: payment))
        default: return .outcome(unknown("Authorize.Net answered an undocumented response code."))
        }
    }

    /// "Captured already" does not say whether all was that is asked for now: that, the transaction tells.
    private func approved(_ response: TransactionResponse, _ profile: JSON?, of payment: String?) -> Reading {
        guard let id = response.id, let message = response.message else {
            return .outcome(unknown("Authorize.Net approved no transaction."))
        }
        guard isAbout(response, payment) else {
            return .outcome(unknown("Authorize.Net approved another transaction."))
        }
        switch (call.kind, message) {
        case (.authorize(let authorization), "1"):
            return .outcome(keeping(profile, response, authorized(response, id, authorization)))
        case (.capture, "1"):
            return .outcome(.succeeded(Success(reference: id, amount: asked, capturedAmount: asked)))
        case (.void, "1"), (.refund, "1"): return .outcome(.succeeded(Success(reference: id, amount: asked)))
        case (.capture, "311"): return .unexplained(Refusal(response))
        case (.capture, "310"), (.void, "310"): return .outcome(rejected(.alreadyVoided, Refusal(response)))
        default: return .outcome(unknown("Authorize.Net approved with an undocumented message."))
        }
    }

    /// An approval of a part, which is not asked for, is told as what it is.
    private func authorized(
        _ response: TransactionResponse,
        _ id: String,
        _ authorization: Call.Authorization
    ) -> Outcome {
        var amount = asked
        if let approved = response.approvedAmount {
            guard let part = AccountCurrency.minorUnits(approved, in: currency), (1...asked).contains(part) else {
                return unknown("Authorize.Net approved an amount that was not asked for.")
            }
            amount = part
        }
        return .succeeded(
            Success(
                reference: id,
                amount: amount,
                capturedAmount: authorization.capture ? amount : 0,
                network: response.network,
                last4: response.last4,
                state: response.last4
            )
        )
    }

    /// An approval under an agreement, with the profile that it left and the card scheme's name of it.
    private func keeping(_ profile: JSON?, _ response: TransactionResponse, _ outcome: Outcome) -> Outcome {
        guard case .authorize(let authorization) = call.kind, authorization.initiation != .buyer,
            case .succeeded(var success) = outcome
        else { return outcome }
        let transaction = response.networkTransactionID
        success.networkTransactionIDs =
            [transaction.flatMap { NetworkTransactionID($0, network: success.network) }].compactMap { $0 }
        if case .buyerStoring = authorization.initiation, let profile = AuthorizeNetProfile(profile) {
            success.stored = StoredMethod(
                token: Secret(profile.paymentProfile),
                customer: Secret(profile.customer),
                network: success.network,
                last4: success.last4
            )
        }
        return .succeeded(success)
    }

    /// A capture and a void keep the transaction's identifier; a refund has its own and names the payment's.
    private func isAbout(_ response: TransactionResponse, _ payment: String?) -> Bool {
        switch call.kind {
        case .authorize: payment == nil
        case .capture, .void: response.id == payment
        case .refund: response.reference == payment && response.id != payment
        }
    }

    private func held(_ response: TransactionResponse, of payment: String?) -> Outcome {
        guard let id = response.id, isAbout(response, payment) else {
            return unknown("Authorize.Net holds another transaction.")
        }
        switch call.kind {
        case .authorize(let authorization):
            if response.message == "295" { return authorized(response, id, authorization) }
            return .pending(Progress(reference: id, state: response.last4))
        case .capture, .refund: return .pending(Progress(reference: id))
        case .void: return unknown("Authorize.Net holds a void.")
        }
    }

    private func declined(_ response: TransactionResponse) -> Outcome {
        let refusal = Refusal(response)
        let meaning = ReasonCodes.meaning(refusal.code)
        guard call.kind != .void, meaning != .doubt else { return unknown(refusal.sentence) }
        let category: Decline.Category = if case .decline(let category) = meaning { category } else { .generic }
        return .declined(Decline(code: refusal.code, category: category, message: refusal.sentence))
    }

    private func refused(_ response: TransactionResponse) -> Reading {
        let refusal = Refusal(response)
        switch ReasonCodes.meaning(refusal.code) {
        case .decline(let category): return .outcome(refusedCard(category, refusal))
        case .rejection(let reason): return .outcome(rejected(reason, refusal))
        case .state: return .unexplained(refusal)
        case .doubt, nil: return .outcome(unknown(refusal.sentence))
        }
    }

    /// An error about the card is a decline only where the card is asked; a later operation that is to be tried again
    /// is inquired after first.
    private func refusedCard(_ category: Decline.Category, _ refusal: Refusal) -> Outcome {
        if case .authorize = call.kind {
            return .declined(Decline(code: refusal.code, category: category, message: refusal.sentence))
        }
        return category == .temporary ? unknown(refusal.sentence) : rejected(.configuration, refusal)
    }
}

extension AuthorizeNetOutcomeReader {
    /// A call without a transaction in its reply.
    private func refusedCall(_ reply: AuthorizeNetReply) -> Outcome {
        guard case .error(let code, _) = reply, let reason = CallErrors.reason(code) else { return doubt(reply) }
        return rejected(reason, Refusal(code: code))
    }

    /// Why a reply says nothing.
    func doubt(_ reply: AuthorizeNetReply) -> Outcome {
        switch reply {
        case .ok: unknown("Authorize.Net answered something else than what was asked.")
        case .error(let code, _): unknown("Authorize.Net answered \(code).")
        case .doubt(let reason): unknown(reason)
        }
    }
}
