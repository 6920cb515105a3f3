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
        let errors = SquareErrorDocument.errors(code, authorization.command.details)
        return PSPReply(
            SquareErrorDocument.status(errors),
            ["errors": .array(errors), "payment": payment(authorization)]
        )
    }

    /// The answer to a completion or a cancellation.
    func reply(changing operation: BookedOperation, _ authorization: Authorization) -> PSPReply {
        guard operation.status == .failed, let code = operation.decline else {
            return PSPReply(200, ["payment": payment(authorization)])
        }
        let errors = SquareErrorDocument.errors(code)
        return PSPReply(SquareErrorDocument.status(errors), ["errors": .array(errors)])
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
        let changes = authorization.operations.map { $0.changedAt ?? $0.at }
        return (times.compactMap(\.self) + changes).max() ?? authorization.createdAt
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
    static func status(_ refund: BookedOperation) -> String {
        switch refund.status {
        case .pending: "PENDING"
        case .succeeded, .reversed: "COMPLETED"
        case .failed: "REJECTED"
        case .failedLater: "FAILED"
        }
    }

    /// The state of a dispute.
    static func state(_ dispute: BookedDispute) -> String {
        switch dispute.status {
        case .opened: "EVIDENCE_REQUIRED"
        case .won: "WON"
        case .lost: "LOST"
        }
    }

    /// A refund; `time` is when it changed last, if that is known.
    func refund(_ operation: BookedOperation, of authorization: Authorization, at time: Int64? = nil) -> JSON {
        let currency = authorization.command.currency
        return .object(omittingAbsent: [
            "id": .string(SquareName.refund(operation.id)),
            "status": .string(Self.status(operation)),
            "location_id": .string(Self.location(authorization)),
            "unlinked": false,
            "destination_type": "CARD",
            "amount_money": SquareAmount(amount: operation.amount, currency: currency).json,
            "app_fee_money": operation.applicationFee.map { SquareAmount(amount: $0, currency: currency).json },
            "payment_id": .string(SquareName.payment(authorization.id)),
            "order_id": authorization.command.details["order_id"].map(JSON.string),
            "reason": operation.details["reason"].map(JSON.string),
            "created_at": .string(SquareMoment.text(operation.at)),
            "updated_at": .string(SquareMoment.text(time ?? operation.changedAt ?? operation.at)),
            "team_member_id": operation.details["team_member_id"].map(JSON.string),
        ])
    }

    /// A dispute; `time` is when it changed last, if that is known.
    func dispute(_ dispute: BookedDispute, of authorization: Authorization, at time: Int64? = nil) -> JSON {
        let name = SquareName.dispute(dispute.id)
        let reason = dispute.reason.uppercased()
        return [
            "id": .string(name), "dispute_id": .string(name),
            "amount_money": SquareAmount(amount: dispute.amount, currency: authorization.command.currency).json,
            "reason": .string(Self.reasons.contains(reason) ? reason : "NO_KNOWLEDGE"),
            "state": .string(Self.state(dispute)), "due_at": .string(SquareMoment.text(dispute.respondBy)),
            "disputed_payment": ["payment_id": .string(SquareName.payment(authorization.id))],
            "card_brand": .string(Self.brand(authorization)), "created_at": .string(SquareMoment.text(dispute.at)),
            "updated_at": .string(SquareMoment.text(time ?? dispute.decidedAt ?? dispute.at)),
            "reported_at": .string(SquareMoment.text(dispute.at)),
            "version": dispute.status == .opened ? 1 : 2,
            "location_id": .string(Self.location(authorization)),
        ]
    }

    private static let reasons: Set<String> = [
        "AMOUNT_DIFFERS", "CANCELLED", "DUPLICATE", "NO_KNOWLEDGE", "NOT_AS_DESCRIBED", "NOT_RECEIVED",
        "PAID_BY_OTHER_MEANS", "CUSTOMER_REQUESTS_CREDIT", "EMV_LIABILITY_SHIFT",
    ]
}

/// Payments.
extension SquareDocument {
    /// A payment; `time` is when it changed last, if that is known.
    func payment(_ authorization: Authorization, at time: Int64? = nil) -> JSON {
        let command = authorization.command
        let status = Self.status(authorization)
        let name = SquareName.payment(authorization.id)
        let total = total(of: authorization)
        let tip = tip(of: authorization)
        let refunds = authorization.operations.filter { $0.kind == .refund }
        func money(_ amount: Int64) -> JSON { SquareAmount(amount: amount, currency: command.currency).json }
        func detail(_ name: String) -> JSON? { command.details[name].map(JSON.string) }
        return .object(omittingAbsent: [
            "id": .string(name),
            "created_at": .string(SquareMoment.text(authorization.createdAt)),
            "updated_at": .string(SquareMoment.text(time ?? updatedAt(authorization))),
            "amount_money": money(max(0, total - (tip ?? 0))),
            "tip_money": tip.map(money),
            "total_money": money(total),
            "app_fee_money": fee(of: authorization).map(money),
            "approved_money": authorization.authorized > 0 ? money(authorization.authorized) : .none,
            "refunded_money": authorization.refunded > 0 ? money(authorization.refunded) : .none,
            "status": .string(status),
            "delay_duration": detail("delay_duration") ?? "PT168H",
            "delay_action": "CANCEL",
            "delayed_until": .string(
                SquareMoment.text(authorization.expiresAt ?? authorization.createdAt + Authorization.lifeMilliseconds)
            ),
            "source_type": "CARD",
            "card_details": card(authorization, status),
            "location_id": .string(Self.location(authorization)),
            "order_id": detail("order_id"),
            "reference_id": detail("reference_id"),
            "customer_id": detail("customer_id"),
            "team_member_id": detail("team_member_id"),
            "refund_ids": refunds.isEmpty ? .none : .strings(refunds.map { SquareName.refund($0.id) }),
            "buyer_email_address": detail("buyer_email_address"),
            "note": detail("note"),
            "statement_description_identifier": detail("statement_description_identifier"),
            "capabilities": status == "APPROVED" ? capabilities(authorization, total) : .none,
            "receipt_number": status == "CANCELED" ? .none : .string(String(name.prefix(4))),
            "receipt_url": status == "COMPLETED"
                ? .string("https://squareupsandbox.com/receipt/preview/\(name)") : .none,
            "application_details": ["square_product": "ECOMMERCE_API", "application_id": "sandbox-sq0idb-simulator"],
            "version_token": .string(version(of: authorization)),
        ])
    }

    /// An amount can be raised again to what was approved.
    private func capabilities(_ authorization: Authorization, _ total: Int64) -> JSON {
        let isLower = total < authorization.authorized
        return .strings(
            ["EDIT_AMOUNT_DOWN", "EDIT_TIP_AMOUNT_DOWN"] + (isLower ? ["EDIT_AMOUNT_UP", "EDIT_TIP_AMOUNT_UP"] : [])
        )
    }

    private func card(_ authorization: Authorization, _ status: String) -> JSON {
        let method = authorization.command.method
        let errors = authorization.decline.map { SquareErrorDocument.errors($0, authorization.command.details) } ?? []
        let codes = errors.compactMap { $0["code"]?.stringValue }
        return .object(omittingAbsent: [
            "status": Self.cardStatus[status].map(JSON.string),
            "card": [
                "card_brand": .string(Self.brand(authorization)), "last_4": .string(method.last4), "exp_month": 12,
                "exp_year": 2031, "fingerprint": "sq-1-simulator", "card_type": "CREDIT",
                "prepaid_type": "NOT_PREPAID", "bin": "424242",
            ],
            "entry_method": authorization.command.details["customer_id"] == nil ? "KEYED" : "ON_FILE",
            "cvv_status": codes.contains("CVV_FAILURE") ? "CVV_REJECTED" : "CVV_ACCEPTED",
            "avs_status": codes.contains("ADDRESS_VERIFICATION_FAILURE") ? "AVS_REJECTED" : "AVS_ACCEPTED",
            "auth_result_code": authorization.authorized > 0 ? "68aLBM" : .none,
            "statement_description": "SQ *SIMULATOR",
            "card_payment_timeline": timeline(authorization),
            "errors": errors.isEmpty ? .none : .array(errors),
        ])
    }

    private func timeline(_ authorization: Authorization) -> JSON {
        let isOver = [.voided, .expired].contains(authorization.status)
        return .object(omittingAbsent: [
            "authorized_at": authorization.authorized > 0
                ? .string(SquareMoment.text(authorization.createdAt)) : .none,
            "captured_at": authorization.capturedAt.map { .string(SquareMoment.text($0)) },
            "voided_at": isOver ? .string(SquareMoment.text(updatedAt(authorization))) : .none,
        ])
    }

    private static let cardStatus = [
        "APPROVED": "AUTHORIZED", "COMPLETED": "CAPTURED", "CANCELED": "VOIDED", "FAILED": "FAILED",
    ]
}

/// Square's webhooks.
struct SquareEvents: Sendable {
    let document: SquareDocument

    /// What an event shows.
    private enum Subject {
        case payment
        case refund
        case dispute
    }

    /// The notices of a change in the books, in their order.
    func notices(of event: BookEvent) -> [WebhookNotice] {
        types(of: event).enumerated().compactMap { index, entry in
            guard let (name, object) = object(entry.subject, event) else { return nil }
            let kind = entry.type.prefix { $0 != "." }
            let id = index == 0 ? event.id : "\(event.id)_\(index + 1)"
            let isDispute = entry.subject == .dispute
            let location = SquareDocument.location(event.authorization)
            return WebhookNotice(
                id: id,
                .object(omittingAbsent: [
                    "merchant_id": .string(event.authorization.account),
                    "location_id": isDispute ? .string(location) : .none,
                    "type": .string(entry.type),
                    "event_id": .string(id),
                    "created_at": .string(SquareMoment.text(event.at)),
                    "data": [
                        "type": .string(String(kind)), "id": .string(name), "object": [String(kind): object],
                    ],
                ])
            )
        }
    }

    /// A change that its own answer told of already, or that the payment does not show, is not told.
    private func types(of event: BookEvent) -> [(type: String, subject: Subject)] {
        let isLater = event.operation.map { $0.at != event.at } ?? (event.authorization.createdAt != event.at)
        let update: [(type: String, subject: Subject)] = [("payment.updated", .payment)]
        switch event.type {
        case "authorization.pending": return [("payment.created", .payment)]
        case "authorization.authorized", "authorization.captured", "authorization.declined":
            return isLater ? update : [("payment.created", .payment)]
        case "authorization.expired", "capture.succeeded", "capture.failed_later", "void.succeeded": return update
        case "capture.failed", "void.failed": return isLater ? update : []
        case "refund.pending": return [("refund.created", .refund)] + update
        case "refund.succeeded", "refund.failed", "refund.failed_later":
            return [(isLater ? "refund.updated" : "refund.created", .refund)] + update
        case "dispute.opened": return [("dispute.created", .dispute)]
        case "dispute.won", "dispute.lost": return [("dispute.state.updated", .dispute)]
        default: return []
        }
    }

    private func object(_ subject: Subject, _ event: BookEvent) -> (name: String, object: JSON)? {
        let authorization = event.authorization
        switch subject {
        case .payment:
            return (SquareName.payment(authorization.id), document.payment(authorization, at: event.at))
        case .refund:
            guard let refund = event.operation else { return nil }
            return (SquareName.refund(refund.id), document.refund(refund, of: authorization, at: event.at))
        case .dispute:
            guard let dispute = event.dispute else { return nil }
            return (SquareName.dispute(dispute.id), document.dispute(dispute, of: authorization, at: event.at))
        }
    }
}
