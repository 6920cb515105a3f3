import AdapterKit
import Domain
import StrictJSON

/// Creating a payment.
extension SquareConversation {
    mutating func authorize(_ authorization: Call.Authorization) throws(Halt) -> Outcome {
        let (source, customer): (String, String?)
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            return .unknown(reason: "The credential has been erased; only an inquiry can tell.")
        case .pspToken(let token, let owner): (source, customer) = (token.reveal(), owner?.reveal())
        case .networkToken, .encryptedApplePay:
            let message = "Square takes only the tokens that its own client libraries make."
            return Self.rejected(.unsupported, "UNSUPPORTED_SOURCE_TYPE", message)
        }
        guard !SquarePayment.isRecordOnly(source) else {
            let message = "CASH and EXTERNAL only record a payment that was taken elsewhere."
            return Self.rejected(.unsupported, "UNSUPPORTED_SOURCE_TYPE", message)
        }
        let fee = self.fee(authorization.applicationFee)
        if let obstacle = obstacle(to: fee) ?? obstacleToLocation { return obstacle }
        switch try answer(to: requests.authorize(authorization, source, of: customer, fee: fee, for: call)) {
        case .object(let json):
            guard let payment = json["payment"].flatMap(SquarePayment.init) else {
                return .unknown(reason: "Square answered something else than the payment.")
            }
            guard payment.amount == asked else {
                return .unknown(reason: "The payment is over another amount.")
            }
            return self.authorization(payment)
        case .refusal(let refusal), .clash(let refusal): return refused(refusal)
        case .doubt(let reason): return .unknown(reason: reason)
        }
    }

    /// A payment's location is what tells whose it is, so it has to be named once and not twice.
    private var obstacleToLocation: Outcome? {
        let own = requests.ownLocation
        if own == nil, call.merchantAccount == nil {
            let message = "Neither the route's merchant_account nor the account's location_id names a location."
            return Self.rejected(.configuration, "location_id", message)
        }
        guard own != nil, own == call.merchantAccount else { return nil }
        let message = "The location is the route's merchant_account and the account's location_id; name it once."
        return Self.rejected(.configuration, "location_id", message)
    }

    /// What a payment's state says of its authorization.
    ///
    /// A smaller capture lowers the payment's amount; what was approved stays.
    func authorization(_ payment: SquarePayment) -> Outcome {
        guard payment.reference == call.attempt.text, payment.currency == call.money.currency.code,
            !payment.isRecordOnly
        else { return .unknown(reason: "Square answered something else than our payment.") }
        let isTaken = payment.status == "COMPLETED"
        let approved = payment.approved ?? payment.amount
        let authorized = isTaken ? max(approved, payment.amount) : approved
        guard payment.amount > 0, (1...asked).contains(authorized) else {
            return .unknown(reason: "The payment is over an amount that was not asked for.")
        }
        switch payment.status {
        case "APPROVED", "COMPLETED":
            return .succeeded(
                Success(
                    reference: payment.id,
                    amount: authorized,
                    capturedAmount: isTaken ? payment.amount : 0,
                    expiresAt: isTaken ? nil : payment.delayedUntil,
                    network: payment.network,
                    last4: payment.last4,
                    state: payment.state.text
                )
            )
        case "PENDING": return .pending(Progress(reference: payment.id, state: payment.state.text))
        case "FAILED": return .declined(payment.decline)
        case "CANCELED": return .rejected(payment.cancellation)
        default: return .unknown(reason: "The payment is in a state that Square does not document.")
        }
    }
}
