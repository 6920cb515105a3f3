package import AdapterKit
import Domain
import StrictJSON

/// Keeping the card of a payment, for payments that the merchant initiates.
extension SquareConversation {
    /// The customer that a card is to be kept for; nil if none is.
    ///
    /// - Throws: ``Halt`` with the request, or because there is no customer: nothing has been paid then.
    mutating func customer(for initiation: Initiation) throws(Halt) -> String? {
        guard case .buyerStoring(let first) = initiation else { return nil }
        switch try answer(to: requests.customer(of: first.agreement, for: call)) {
        case .object(let json):
            guard json["customer"]?["reference_id"]?.stringValue == first.agreement.text,
                let id = json["customer"]?["id"]?.stringValue.flatMap(ProtocolText.word)
            else { throw .outcome(.notSent(reason: "Square answered something else than the customer asked for.")) }
            return id
        case .refusal(let refusal), .clash(let refusal):
            throw .outcome(Self.rejected(.configuration, refusal.code, refusal.sentence))
        case .doubt(let reason): throw .outcome(.notSent(reason: reason))
        }
    }

    /// The outcome of a payment with the card that was kept of it.
    ///
    /// The payment has succeeded whatever becomes of its card.
    mutating func keeping(
        _ payment: SquarePayment,
        for customer: String?,
        _ initiation: Initiation,
        _ outcome: Outcome
    ) throws(Halt) -> Outcome {
        guard case .buyerStoring(let first) = initiation, let customer, case .succeeded(let paid) = outcome else {
            return outcome
        }
        var success = paid
        let reply = try answer(to: requests.card(of: payment.id, for: customer, first.agreement, for: call))
        guard case .object(let json) = reply, let card = json["card"],
            let stored = StoredMethod(card, of: customer, for: first.agreement)
        else { return outcome }
        success.stored = stored
        success.stored?.network = stored.network ?? success.network
        success.stored?.last4 = stored.last4 ?? success.last4
        return .succeeded(success)
    }

    /// The card that is kept of a payment that has succeeded, whose replies did not tell of it; it is made now if it was not
    /// made then.
    mutating func storedMethod() throws(Halt) -> Outcome {
        guard case .authorize(let authorization) = call.kind,
            case .buyerStoring(let first) = authorization.initiation, let payment = call.pspReference
        else { return Self.rejected(.unsupported, "customer_id", "No card is kept of the payment.") }
        guard case .object(let json) = try answer(to: requests.retrieve(payment)),
            self.payment(json, named: payment) != nil
        else { return .unknown(reason: "Square does not show the payment.") }
        var success = Success(reference: payment, amount: asked)
        guard let customer = json["payment"]?["customer_id"]?.stringValue.flatMap(ProtocolText.word) else {
            return .succeeded(success)
        }
        guard case .object(let list) = try answer(to: requests.cards(of: customer, first.agreement)),
            let page = SquarePage(list, of: "cards")
        else { return .unknown(reason: "Square does not list the customer's cards.") }
        let cards = page.elements.compactMap { StoredMethod($0, of: customer, for: first.agreement) }
        if let card = cards.first {
            success.stored = card
            return .succeeded(success)
        }
        switch try answer(to: requests.card(of: payment, for: customer, first.agreement, for: call)) {
        case .object(let json):
            guard let stored = json["card"].flatMap({ StoredMethod($0, of: customer, for: first.agreement) }) else {
                return .unknown(reason: "Square answered something else than the card asked for.")
            }
            success.stored = stored
            return .succeeded(success)
        // What makes no card of this payment today makes none tomorrow.
        case .refusal: return .succeeded(success)
        case .clash(let refusal): return .unknown(reason: refusal.sentence)
        case .doubt(let reason): return .unknown(reason: reason)
        }
    }
}

extension StoredMethod {
    /// Reads a card; nil if it is another customer's or another agreement's, or disabled.
    fileprivate init?(_ card: JSON, of customer: String, for agreement: AgreementID) {
        guard card["customer_id"]?.stringValue == customer, card["reference_id"]?.stringValue == agreement.text,
            card["enabled"]?.boolValue ?? true, let id = card["id"]?.stringValue, (1...64).contains(id.utf8.count)
        else { return nil }
        self.init(
            token: Secret(id),
            customer: Secret(customer),
            network: card["card_brand"]?.stringValue.flatMap(ProtocolText.word),
            last4: card["last_4"]?.stringValue.flatMap(ProtocolText.word),
            expiryMonth: card["exp_month"]?.integerValue.flatMap { 1...12 ~= $0 ? Int($0) : nil },
            expiryYear: card["exp_year"]?.integerValue.flatMap { 2000...2999 ~= $0 ? Int($0) : nil }
        )
    }
}

/// Having Square forget a card.
extension SquareAdapter {
    /// Disables it, which can be done again.
    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        let card = removal.token.reveal()
        guard let reply = exchanges.first?.reply else { return .send(requests.disable(card).withHiddenPath) }
        switch SquareReply(reply) {
        case .object(let json):
            guard json["card"]?["id"]?.stringValue == card, json["card"]?["enabled"]?.boolValue == false else {
                return .outcome(.unknown(reason: "Square answered something else than the disabled card."))
            }
            return .outcome(.succeeded(Success(reference: nil, amount: 0)))
        case .refusal(let refusal):
            let reason: Rejection.Reason = refusal.code == "NOT_FOUND" ? .notFound : .configuration
            return .outcome(SquareConversation.rejected(reason, refusal.code, refusal.sentence))
        case .clash(let refusal): return .outcome(.unknown(reason: refusal.sentence))
        case .doubt(let reason): return .outcome(.unknown(reason: reason))
        }
    }
}
