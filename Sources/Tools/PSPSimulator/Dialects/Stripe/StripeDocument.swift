import StrictJSON

/// Stripe's names for what is in the books.
///
/// `pi_`, `ch_` and `re_` stand before what follows the books' own prefixes, unless a payment was named before.
enum StripeDocument {
    /// What Stripe calls a payment.
    static func paymentName(_ authorization: Authorization) -> String {
        authorization.command.identifier ?? "pi_" + suffix(authorization.id)
    }

    /// What the books call a payment of that name.
    static func bookName(payment id: String) -> String {
        let name = id.hasPrefix("pi_") ? Books.identifierPrefix + id.dropFirst(3) : id
        return PSPNumber(name) == nil ? id : name
    }

    /// What Stripe calls the charge of a payment.
    static func chargeName(_ authorization: Authorization) -> String { "ch_" + suffix(authorization.id) }

    /// What Stripe calls the payment method of a payment: one that was kept before, or the payment's own.
    static func methodName(_ authorization: Authorization) -> String {
        authorization.command.details["payment_method"] ?? "pm_" + suffix(authorization.id)
    }

    /// What the books call the payment with a charge of that name.
    static func bookName(charge id: String) -> String {
        id.hasPrefix("ch_") ? Books.identifierPrefix + id.dropFirst(3) : id
    }

    /// What Stripe calls a refund.
    static func refundName(_ operation: BookedOperation) -> String { "re_" + suffix(operation.id) }

    /// What the books call a refund of that name.
    static func bookName(refund id: String) -> String { id.hasPrefix("re_") ? "ref_" + id.dropFirst(3) : id }

    /// What Stripe calls a dispute.
    static func disputeName(_ dispute: BookedDispute) -> String { "dp_" + suffix(dispute.id) }

    /// What Stripe calls the movement on its balance that something made.
    static func balanceName(_ identifier: String) -> String {
        "txn_" + identifier.prefix { $0 != "_" } + suffix(identifier)
    }

    /// The fields of a buyer who is not known.
    static let noBillingDetails: JSON = [
        "address": .null, "email": .null, "name": .null, "phone": .null, "tax_id": .null,
    ]

    /// Seconds since 1970.
    static func seconds(_ milliseconds: Int64) -> JSON { .integer(milliseconds / 1000) }

    /// Notes by their names.
    static func metadata(_ notes: [String: String]) -> JSON {
        .object(notes.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
    }

    /// A list of what a path leads to.
    static func list(_ found: [JSON], at path: String, hasMore: Bool = false) -> JSON {
        ["object": "list", "data": .array(found), "has_more": .bool(hasMore), "url": .string(path)]
    }

    private static func suffix(_ identifier: String) -> String {
        String(identifier.drop { $0 != "_" }.dropFirst())
    }
}

/// Charges, refunds and disputes.
extension StripeDocument {
    /// The charge of a payment.
    static func charge(_ authorization: Authorization) -> JSON {
        let command = authorization.command
        let code = authorization.failure
        let hasSucceeded = authorization.authorized > 0 && code == nil
        return [
            "id": .string(chargeName(authorization)), "object": "charge",
            "amount": .integer(authorization.authorized > 0 ? authorization.authorized : command.amount),
            "amount_captured": .integer(authorization.captured),
            "amount_refunded": .integer(authorization.refunded), "application": .null, "application_fee": .null,
            "application_fee_amount": .optional(command.applicationFee),
            "balance_transaction": authorization.captured > 0
                ? .string(balanceName(authorization.id)) : .null,
            "billing_details": noBillingDetails, "captured": .bool(authorization.captured > 0),
            "created": seconds(authorization.createdAt), "currency": .string(command.currency.lowercased()),
            "customer": .optional(command.details["customer"]),
            "description": .optional(command.details["description"]),
            "disputed": .bool(!authorization.disputes.isEmpty),
            "failure_code": .optional(code.map { StripeErrorDocument.word($0).code }),
            "failure_message": .optional(code.map(\.message)), "fraud_details": .object([]), "invoice": .null,
            "livemode": false, "metadata": metadata(command.metadata),
            "on_behalf_of": .optional(command.details["on_behalf_of"]), "outcome": outcome(authorization),
            "paid": .bool(hasSucceeded), "payment_intent": .string(paymentName(authorization)),
            "payment_method": .string(methodName(authorization)),
            "payment_method_details": methodDetails(authorization), "receipt_email": .null, "receipt_number": .null,
            "receipt_url": .null,
            "refunded": .bool(authorization.captured > 0 && authorization.refunded == authorization.captured),
            "review": .null, "shipping": .null, "source_transfer": .null, "statement_descriptor": .null,
            "status": .string(code != nil ? "failed" : hasSucceeded ? "succeeded" : "pending"),
            "transfer_data": .null, "transfer_group": .optional(command.details["transfer_group"]),
        ]
    }

    /// A refund.
    static func refund(
        _ operation: BookedOperation,
        of authorization: Authorization,
        expanding expansions: Set<String> = [],
        _ origin: String = ""
    ) -> JSON {
        let payment: JSON =
            expansions.contains("payment_intent")
            ? self.payment(authorization, origin) : .string(paymentName(authorization))
        let charge: JSON =
            expansions.contains("charge") ? self.charge(authorization) : .string(chargeName(authorization))
        var members: [JSON.Member] = [
            JSON.Member("id", .string(refundName(operation))), JSON.Member("object", "refund"),
            JSON.Member("amount", .integer(operation.amount)),
            JSON.Member("balance_transaction", .string(balanceName(operation.id))),
            JSON.Member("charge", charge), JSON.Member("created", seconds(operation.at)),
            JSON.Member("currency", .string(authorization.command.currency.lowercased())),
            JSON.Member("metadata", metadata(operation.metadata)), JSON.Member("payment_intent", payment),
            JSON.Member("reason", .optional(operation.details["reason"])), JSON.Member("receipt_number", .null),
            JSON.Member("source_transfer_reversal", .null), JSON.Member("status", .string(status(operation))),
            JSON.Member("transfer_reversal", .null),
        ]
        if operation.status == .failed || operation.status == .failedLater {
            members.append(
                JSON.Member("failure_balance_transaction", .string(balanceName(operation.id) + "_failure"))
            )
        }
        if let reason = failureReason(operation) { members.append(JSON.Member("failure_reason", .string(reason))) }
        return .object(members)
    }

    /// A dispute.
    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> JSON {
        let status =
            switch dispute.status {
            case .opened: "needs_response"
            case .won: "won"
            case .lost: "lost"
            }
        return [
            "id": .string(disputeName(dispute)), "object": "dispute", "amount": .integer(dispute.amount),
            "balance_transactions": [], "charge": .string(chargeName(authorization)),
            "created": seconds(dispute.at), "currency": .string(authorization.command.currency.lowercased()),
            "enhanced_eligibility_types": [], "evidence": .object([]),
            "evidence_details": [
                "due_by": seconds(dispute.respondBy), "has_evidence": false, "past_due": false, "submission_count": 0,
            ],
            "is_charge_refundable": false, "livemode": false, "metadata": .object([]),
            "payment_intent": .string(paymentName(authorization)), "reason": .string(dispute.reason),
            "status": .string(status),
        ]
    }

    private static func status(_ operation: BookedOperation) -> String {
        switch operation.status {
        case .pending: "pending"
        case .succeeded, .reversed: "succeeded"
        case .failed, .failedLater: "failed"
        }
    }

    /// Stripe's words for why a refund failed.
    private static func failureReason(_ operation: BookedOperation) -> String? {
        switch operation.status {
        case .pending, .succeeded, .reversed: nil
        case .failedLater: "unknown"
        case .failed:
            switch operation.decline {
            case .insufficientFunds: "insufficient_funds"
            case .expiredCard: "expired_or_canceled_card"
            case .lostOrStolen: "lost_or_stolen_card"
            default: "declined"
            }
        }
    }

    private static func outcome(_ authorization: Authorization) -> JSON {
        guard let code = authorization.failure else {
            guard authorization.authorized > 0 else { return .null }
            return [
                "network_status": "approved_by_network", "reason": .null, "risk_level": "normal",
                "seller_message": "Payment complete.", "type": "authorized",
            ]
        }
        let isBlocked = code == .suspectedFraud
        return .object(omittingAbsent: [
            "advice_code": StripeErrorDocument.word(code).advice.map(JSON.string),
            "network_status": isBlocked ? "not_sent_to_network" : "declined_by_network",
            "reason": .string(StripeErrorDocument.word(code).declineCode ?? StripeErrorDocument.word(code).code),
            "risk_level": isBlocked ? "highest" : "normal",
            "seller_message": .string(code.message),
            "type": isBlocked ? "blocked" : "issuer_declined",
        ])
    }

    /// What the card scheme calls the authorization: fifteen digits.
    private static func networkTransactionID(_ authorization: Authorization) -> String {
        let number = PSPNumber(authorization.id)?.authorization ?? 0
        return "1" + String(String(100_000_000_000_000 + number).dropFirst())
    }

    private static func methodDetails(_ authorization: Authorization) -> JSON {
        let method = authorization.command.method
        let multicapture = authorization.command.details["multicapture"] ?? "unavailable"
        let isHeld = authorization.status == .authorized
        return [
            "type": "card",
            "card": .object(omittingAbsent: [
                "brand": .string(method.network),
                "capture_before": isHeld ? authorization.expiresAt.map(seconds) : .none,
                "country": "US",
                "exp_month": 12, "exp_year": 2031,
                "last4": .string(method.last4),
                "multicapture": ["status": .string(multicapture)],
                "network": .string(method.network),
                "network_transaction_id": .string(networkTransactionID(authorization)),
            ]),
        ]
    }
}

/// PaymentIntents.
extension StripeDocument {
    /// A payment in the books.
    ///
    /// - Parameters:
    ///   - authorization: the payment.
    ///   - origin: where the sender reached the simulator.
    ///   - expansions: what stands in it whole.
    /// - Returns: the PaymentIntent.
    static func payment(
        _ authorization: Authorization,
        _ origin: String,
        expanding expansions: Set<String> = []
    ) -> JSON {
        let command = authorization.command
        let id = paymentName(authorization)
        let hasCharge = authorization.status != .requiresAction
        let charge: JSON =
            expansions.contains("latest_charge") ? self.charge(authorization) : .string(chargeName(authorization))
        let status = status(authorization)
        let reason = cancellationReason(authorization)
        return [
            "id": .string(id), "object": "payment_intent", "amount": .integer(command.amount),
            "amount_capturable": .integer(authorization.held), "amount_received": .integer(authorization.captured),
            "application": .null, "application_fee_amount": .optional(command.applicationFee),
            "automatic_payment_methods": .null, "canceled_at": status == "canceled" ? lastChange(authorization) : .null,
            "cancellation_reason": .optional(reason),
            "capture_method": command.capture ? "automatic" : "manual",
            "client_secret": .string(id + "_secret_simulated"), "confirmation_method": "automatic",
            "created": seconds(authorization.createdAt), "currency": .string(command.currency.lowercased()),
            "customer": .optional(command.details["customer"]),
            "description": .optional(command.details["description"]),
            "last_payment_error": .optional(authorization.failure.map { StripeErrorDocument.json($0, authorization) }),
            "latest_charge": hasCharge ? charge : .null, "livemode": false, "metadata": metadata(command.metadata),
            "next_action": nextAction(authorization, origin),
            "on_behalf_of": .optional(command.details["on_behalf_of"]),
            "payment_method": .string(methodName(authorization)),
            "payment_method_options": .object([]), "payment_method_types": ["card"], "processing": .null,
            "receipt_email": .null, "review": .null,
            "setup_future_usage": .optional(command.details["setup_future_usage"]), "shipping": .null,
            "statement_descriptor": .null,
            "statement_descriptor_suffix": .optional(command.details["statement_descriptor_suffix"]),
            "status": .string(status), "transfer_data": transfer(command),
            "transfer_group": .optional(command.details["transfer_group"]),
        ]
    }

    /// A payment that has not been confirmed.
    static func payment(_ draft: StripeDrafts.Draft, _ intent: StripePaymentRequest) -> JSON {
        let open = intent.hasMethod ? "requires_confirmation" : "requires_payment_method"
        return [
            "id": .string(draft.id), "object": "payment_intent", "amount": .integer(intent.amount),
            "amount_capturable": 0, "amount_received": 0, "application_fee_amount": .optional(intent.applicationFee),
            "canceled_at": .null, "cancellation_reason": .null,
            "capture_method": intent.capture ? "automatic" : "manual",
            "client_secret": .string(draft.id + "_secret_simulated"), "confirmation_method": "automatic",
            "created": seconds(draft.createdAt), "currency": .string(intent.currency.lowercased()),
            "last_payment_error": .null,
            "latest_charge": .null, "livemode": false, "metadata": metadata(intent.metadata), "next_action": .null,
            "payment_method": .null, "payment_method_types": ["card"],
            "status": .string(draft.isCanceled ? "canceled" : open),
        ]
    }

    /// The status of a payment.
    static func status(_ authorization: Authorization) -> String {
        switch authorization.status {
        case .pending: "processing"
        case .requiresAction: "requires_action"
        case .authorized: authorization.hasPendingOperation ? "processing" : "requires_capture"
        case .captured: "succeeded"
        case .declined: "requires_payment_method"
        case .voided where authorization.lostCapture != nil: "requires_payment_method"
        case .voided, .canceled, .expired: "canceled"
        }
    }

    private static func cancellationReason(_ authorization: Authorization) -> String? {
        switch authorization.status {
        case .expired: "expired"
        case .voided, .canceled: authorization.operations.last { $0.kind == .void }?.details["cancellation_reason"]
        case .pending, .requiresAction, .authorized, .captured, .declined: nil
        }
    }

    private static func lastChange(_ authorization: Authorization) -> JSON {
        let void = authorization.operations.last { $0.kind == .void }
        return seconds(void?.at ?? authorization.expiresAt ?? authorization.createdAt)
    }

    private static func nextAction(_ authorization: Authorization, _ origin: String) -> JSON {
        guard authorization.status == .requiresAction else { return .null }
        guard let returnURL = authorization.command.returnURL else {
            return ["type": "use_stripe_sdk", "use_stripe_sdk": ["type": "three_d_secure_redirect"]]
        }
        return [
            "type": "redirect_to_url",
            "redirect_to_url": [
                "return_url": .string(returnURL), "url": .string("\(origin)/actions/\(authorization.id)"),
            ],
        ]
    }

    private static func transfer(_ command: AuthorizeCommand) -> JSON {
        guard let destination = command.details["transfer_data[destination]"] else { return .null }
        return .object(omittingAbsent: [
            "amount": command.details["transfer_data[amount]"].flatMap { Int64($0) }.map(JSON.integer),
            "destination": .string(destination),
        ])
    }
}

extension Authorization {
    /// The latest capture that had succeeded and failed after all.
    var lostCapture: BookedOperation? { operations.last { $0.kind == .capture && $0.status == .failedLater } }

    /// Why the payment failed; nil if it has not.
    var failure: DeclineCode? { decline ?? (lostCapture == nil ? nil : .generic) }
}
