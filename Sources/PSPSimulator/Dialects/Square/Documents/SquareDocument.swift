import StrictJSON

/// Square's payments, refunds and disputes.
struct SquareDocument: Sendable {
    /// What payments were changed to before they are completed.
    let edits: SquareEdits

    /// The location of a payment that names none.
    private static let mainLocation = "LMAIN"

    /// The answer to `POST /v2/payments`; a decline has the failed payment beside the errors.
    func reply(creating authorization: Authorization) -> PSPReply {
        guard authorization.status == .declined, let code = authorization.decline else {
            return PSPReply(200, ["payment": payment(authorization)])
        }
        let errors = SquareError.errors(code, authorization.command.details)
        return PSPReply(
            SquareError.status(errors),
            ["errors": .array(errors), "payment": payment(authorization)]
        )
    }

    /// The answer to a completion or a cancellation.
    func reply(changing operation: Operation, _ authorization: Authorization) -> PSPReply {
        guard operation.status == .failed, let code = operation.decline else {
            return PSPReply(200, ["payment": payment(authorization)])
        }
        let errors = SquareError.errors(code)
        return PSPReply(SquareError.status(errors), ["errors": .array(errors)])
    }

    /// Checks the version that a request expects the payment to have, if it expects one.
    ///
    /// - Throws: ``Refusal``.
    func check(_ fields: SquareFields, _ name: String, of authorization: Authorization) throws(Refusal) {
        guard let version = try fields.text(name), version != self.version(of: authorization) else { return }
        throw fields.wrong("VERSION_MISMATCH", name, "The payment has another version.")
    }

    /// What the buyer pays, with the tip: what was taken; before, what is to be taken.
    func total(of authorization: Authorization) -> Int64 {
        if authorization.status == .captured { return authorization.captured }
        if let edit = edits.edit(of: authorization.id) { return edit.total }
        return authorization.authorized > 0 ? authorization.authorized : authorization.command.amount
    }

    /// The tip in the total.
    func tip(of authorization: Authorization) -> Int64? {
        edits.edit(of: authorization.id).map(\.tip) ?? authorization.command.details["tip"].flatMap { Int64($0) }
    }

    /// The developer's fee in the total.
    func fee(of authorization: Authorization) -> Int64? {
        let taken = authorization.operations.last { $0.kind == .capture && $0.status == .succeeded }
        return taken?.applicationFee ?? edits.edit(of: authorization.id).map(\.fee)
            ?? authorization.command.applicationFee
    }

    /// What is different after every change of the payment.
    func version(of authorization: Authorization) -> String {
        let changes = edits.edit(of: authorization.id)?.count ?? 0
        return "\(SquareName.payment(authorization.id))v\(authorization.eventCount)e\(changes)o"
    }

    /// When the payment changed last, in milliseconds since 1970, as far as the books say.
    func updatedAt(_ authorization: Authorization) -> Int64 {
        let times: [Int64?] = [
            authorization.createdAt, authorization.capturedAt, edits.edit(of: authorization.id)?.at,
            authorization.status == .expired ? authorization.expiresAt : nil,
        ]
        return (times.compactMap { $0 } + authorization.operations.map(\.at)).max() ?? authorization.createdAt
    }

    /// Where the payment was made.
    static func location(_ authorization: Authorization) -> String {
        authorization.command.details["location_id"] ?? mainLocation
    }

    /// Square's name of the card network.
    static func brand(_ authorization: Authorization) -> String {
        switch authorization.command.method.network {
        case "amex": "AMERICAN_EXPRESS"
        case "unknown": "OTHER_BRAND"
        case let network: network.uppercased()
        }
    }

    /// The status of a payment.
    static func status(_ authorization: Authorization) -> String {
        switch authorization.status {
        case .pending, .requiresAction: "PENDING"
        case .authorized: "APPROVED"
        case .captured: "COMPLETED"
        case .declined: "FAILED"
        case .voided where authorization.operations.contains(where: { $0.status == .failedLater }): "FAILED"
        case .voided, .expired, .canceled: "CANCELED"
        }
    }

    /// The status of a refund: rejected if the issuer said no, failed if it came to nothing after all.
    static func status(_ refund: Operation) -> String {
        switch refund.status {
        case .pending: "PENDING"
        case .succeeded, .reversed: "COMPLETED"
        case .failed: "REJECTED"
        case .failedLater: "FAILED"
        }
    }

    /// The state of a dispute.
    static func state(_ dispute: Dispute) -> String {
        switch dispute.status {
        case .opened: "EVIDENCE_REQUIRED"
        case .won: "WON"
        case .lost: "LOST"
        }
    }

    /// A refund; `time` is when it changed last, if that is known.
    func refund(_ operation: Operation, of authorization: Authorization, at time: Int64? = nil) -> JSON {
        let currency = authorization.command.currency
        return .object(omittingAbsent: [
            "id": .string(SquareName.refund(operation.id)),
            "status": .string(Self.status(operation)),
            "location_id": .string(Self.location(authorization)),
            "unlinked": false,
            "destination_type": "CARD",
            "amount_money": SquareMoney(amount: operation.amount, currency: currency).json,
            "app_fee_money": operation.applicationFee.map { SquareMoney(amount: $0, currency: currency).json },
            "payment_id": .string(SquareName.payment(authorization.id)),
            "order_id": authorization.command.details["order_id"].map(JSON.string),
            "reason": operation.details["reason"].map(JSON.string),
            "created_at": .string(SquareTime.text(operation.at)),
            "updated_at": .string(SquareTime.text(time ?? operation.at)),
            "team_member_id": operation.details["team_member_id"].map(JSON.string),
        ])
    }

    /// A dispute; `time` is when it changed last, if that is known.
    func dispute(_ dispute: Dispute, of authorization: Authorization, at time: Int64? = nil) -> JSON {
        let name = SquareName.dispute(dispute.id)
        let reason = dispute.reason.uppercased()
        return [
            "id": .string(name), "dispute_id": .string(name),
            "amount_money": SquareMoney(amount: dispute.amount, currency: authorization.command.currency).json,
            "reason": .string(Self.reasons.contains(reason) ? reason : "NO_KNOWLEDGE"),
            "state": .string(Self.state(dispute)), "due_at": .string(SquareTime.text(dispute.respondBy)),
            "disputed_payment": ["payment_id": .string(SquareName.payment(authorization.id))],
            "card_brand": .string(Self.brand(authorization)), "created_at": .string(SquareTime.text(dispute.at)),
            "updated_at": .string(SquareTime.text(time ?? dispute.at)),
            "reported_at": .string(SquareTime.text(dispute.at)),
            "version": dispute.status == .opened ? 1 : 2,
            "location_id": .string(Self.location(authorization)),
        ]
    }

    private static let reasons: Set<String> = [
        "AMOUNT_DIFFERS", "CANCELLED", "DUPLICATE", "NO_KNOWLEDGE", "NOT_AS_DESCRIBED", "NOT_RECEIVED",
        "PAID_BY_OTHER_MEANS", "CUSTOMER_REQUESTS_CREDIT", "EMV_LIABILITY_SHIFT",
    ]
}
