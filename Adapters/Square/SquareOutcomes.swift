import AdapterKit
import Domain
import StrictJSON

/// One call, told from its beginning with the replies that there are.
///
/// Each request of the call is answered by the next reply; the first one without a reply is what comes next. So the
/// flow of an operation is written down as it happens, and the same replies always lead to the same place.
struct SquareConversation {
    let call: Call
    let requests: SquareRequests
    /// What has not been heard yet.
    var replies: ArraySlice<SquareReply>
    /// Whether something that can move money has been answered, so that the operation may have happened.
    private(set) var mayHaveMoved = false

    /// Makes a conversation at its beginning.
    init(call: Call, requests: SquareRequests, replies: ArraySlice<SquareReply>) {
        self.call = call
        self.requests = requests
        self.replies = replies
    }

    /// The call's amount in minor units, which is how Square counts all its currencies.
    var asked: Int64 { call.money.minorUnits }

    /// What became of the call.
    mutating func outcome() throws(Halt) -> Outcome {
        guard SquareCurrency.takes(call.money.currency) else {
            return Self.rejected(.unsupported, "UNSUPPORTED_CURRENCY", "Square does not take \(call.money.currency).")
        }
        switch (call.purpose, call.kind) {
        case (.perform, .authorize(let authorization)): return try authorize(authorization)
        case (.perform, .capture(let fee, let isFinal)):
            guard isFinal else { return Self.severalCaptures }
            return try capture(applicationFee: fee)
        case (.perform, .void): return try void()
        case (.perform, .refund(let fee)): return try refund(applicationFee: fee)
        case (.inquire, .refund): return try inquireRefund()
        case (.inquire, .authorize), (.inquire, .capture), (.inquire, .void): return try inquire()
        }
    }

    /// The reply to a request.
    ///
    /// - Throws: ``Halt`` with the request if there is none yet.
    mutating func answer(to request: WireRequest) throws(Halt) -> SquareReply {
        guard let reply = replies.popFirst() else { throw .send(request) }
        mayHaveMoved = mayHaveMoved || request.canMoveMoney
        return reply
    }

    /// Why a question in between was not answered: doubt, unless nothing that can move money was sent before it.
    func lost(_ reason: String) -> Outcome {
        mayHaveMoved ? .unknown(reason: reason) : call.doubt(reason)
    }

    /// Square has no trace of what was asked after.
    static func notFound(_ thing: String) -> Outcome {
        rejected(.notFound, "NOT_FOUND", "Square has no such \(thing).")
    }

    /// A refusal with that code, and with what was captured of the payment ever, in minor units, where the payment was read.
    static func rejected(
        _ reason: Rejection.Reason,
        _ code: String,
        _ message: String,
        captured: Int64? = nil
    ) -> Outcome {
        .rejected(Rejection(reason, code: code, message: message, captured: captured))
    }

    private static let severalCaptures = rejected(
        .unsupported,
        "final_capture",
        "Square captures a payment only once."
    )
}

/// Ends a conversation where it is: there is something to send, or nothing more to learn.
struct Halt: Error {
    /// What comes next.
    let step: Step

    /// Sends a request, whose reply is not there yet.
    static func send(_ request: WireRequest) -> Halt { Halt(step: .send(request)) }

    /// Ends the operation.
    static func outcome(_ outcome: Outcome) -> Halt { Halt(step: .outcome(outcome)) }
}

/// Creating a payment.
extension SquareConversation {
    mutating func authorize(_ authorization: Call.Authorization) throws(Halt) -> Outcome {
        let (source, owner): (String, String?)
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            return .unknown(reason: "The credential has been erased; only an inquiry can tell.")
        case .pspToken(let token, let customer): (source, owner) = (token.reveal(), customer?.reveal())
        case .networkToken, .encryptedApplePay, .storedNetworkToken:
            let message = "Square takes only the tokens that its own client libraries make."
            return Self.rejected(.unsupported, "UNSUPPORTED_SOURCE_TYPE", message)
        }
        guard !SquarePayment.isRecordOnly(source) else {
            let message = "CASH and EXTERNAL only record a payment that was taken elsewhere."
            return Self.rejected(.unsupported, "UNSUPPORTED_SOURCE_TYPE", message)
        }
        let fee = self.fee(authorization.applicationFee)
        if let obstacle = obstacle(to: fee) ?? obstacleToLocation { return obstacle }
        let customer: String?
        if let owner { customer = owner } else { customer = try self.customer(for: authorization.initiation) }
        switch try answer(to: requests.authorize(authorization, source, of: customer, fee: fee, for: call)) {
        case .object(let json):
            guard let payment = json["payment"].flatMap(SquarePayment.init) else {
                return .unknown(reason: "Square answered something else than the payment.")
            }
            guard payment.amount == asked else {
                return .unknown(reason: "The payment is over another amount.")
            }
            return try keeping(payment, for: customer, authorization.initiation, self.authorization(payment))
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

/// What a refused request means for the call.
extension SquareConversation {
    /// Reads a refusal of a payment whose state does not explain it.
    ///
    /// A payment in the reply that went on contradicts a refused creation.
    func refused(_ refusal: SquareRefusal) -> Outcome {
        if refusal.concernsToken { return Self.rejected(.configuration, refusal.code, refusal.sentence) }
        guard refusal.paymentReference ?? call.attempt.text == call.attempt.text else {
            return .unknown(reason: "Square refused another payment. \(refusal.sentence)")
        }
        if refusal.isClash { return .unknown(reason: refusal.sentence) }
        switch call.kind {
        case .authorize:
            if let status = refusal.paymentStatus, status != "FAILED" {
                return .unknown(reason: "Square refused, but its payment went on. \(refusal.sentence)")
            }
            if let decline = refusal.decline { return .declined(decline) }
        case .capture:
            // No card is asked for more: the amount that is to be completed is above what is held.
            if refusal.code == "AMOUNT_TOO_HIGH" {
                return Self.rejected(.amountTooLarge, refusal.code, refusal.sentence)
            }
            if let decline = refusal.decline { return .declined(decline) }
        case .void, .refund: break
        }
        guard let reason = SquareRefusals.reason(for: refusal.code, asking: isFirst) else {
            return .unknown(reason: "Square refused because of a state that it does not show. \(refusal.sentence)")
        }
        return Self.rejected(reason, refusal.code, refusal.sentence)
    }

    /// Whether the call makes the payment rather than changing it.
    private var isFirst: Bool { if case .authorize = call.kind { true } else { false } }
}

/// What the marketplace keeps of a seller's payment: Square's application fee.
extension SquareConversation {
    /// The fee if the seller is paid, nil otherwise: a token of the marketplace's own pays it everything.
    func fee(_ applicationFee: Int64?) -> Int64? {
        call.merchantAccount != nil && call.settlesToMerchant ? applicationFee : nil
    }

    /// Why Square would refuse a fee; nil if it would not.
    ///
    /// It takes at most 90 % of the payment (description of `app_fee_money`, API version 2025-08-20).
    func obstacle(to fee: Int64?) -> Outcome? {
        guard let fee, Int128(fee) * 10 > Int128(asked) * 9 else { return nil }
        let message = "Square takes an application fee of at most 90 % of the payment."
        return Self.rejected(.unsupported, "INVALID_FEES", message)
    }
}
