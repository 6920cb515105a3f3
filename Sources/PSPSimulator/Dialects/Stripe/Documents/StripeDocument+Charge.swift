import StrictJSON

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
            "amount_refunded": .integer(authorization.refunded), "application": nil, "application_fee": nil,
            "application_fee_amount": .optional(command.applicationFee),
            "balance_transaction": authorization.captured > 0
                ? .string(balanceName(authorization.id)) : nil,
            "billing_details": noBillingDetails, "captured": .bool(authorization.captured > 0),
            "created": seconds(authorization.createdAt), "currency": .string(command.currency.lowercased()),
            "customer": nil, "description": .optional(command.details["description"]),
            "disputed": .bool(!authorization.disputes.isEmpty),
            "failure_code": .optional(code.map { StripeError.word($0).code }),
            "failure_message": .optional(code.map(\.message)), "fraud_details": .object([]), "invoice": nil,
            "livemode": false, "metadata": metadata(command.metadata),
            "on_behalf_of": .optional(command.details["on_behalf_of"]), "outcome": outcome(authorization),
            "paid": .bool(hasSucceeded), "payment_intent": .string(paymentName(authorization)),
            "payment_method": .string("pm_" + chargeName(authorization).dropFirst(3)),
            "payment_method_details": methodDetails(authorization), "receipt_email": nil, "receipt_number": nil,
            "receipt_url": nil,
            "refunded": .bool(authorization.captured > 0 && authorization.refunded == authorization.captured),
            "review": nil, "shipping": nil, "source_transfer": nil, "statement_descriptor": nil,
            "status": .string(code != nil ? "failed" : hasSucceeded ? "succeeded" : "pending"),
            "transfer_data": nil, "transfer_group": .optional(command.details["transfer_group"]),
        ]
    }

    /// A refund.
    static func refund(
        _ operation: Operation,
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
            JSON.Member("reason", .optional(operation.details["reason"])), JSON.Member("receipt_number", nil),
            JSON.Member("source_transfer_reversal", nil), JSON.Member("status", .string(status(operation))),
            JSON.Member("transfer_reversal", nil),
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
    static func dispute(_ dispute: Dispute, of authorization: Authorization) -> JSON {
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

    private static func status(_ operation: Operation) -> String {
        switch operation.status {
        case .pending: "pending"
        case .succeeded, .reversed: "succeeded"
        case .failed, .failedLater: "failed"
        }
    }

    /// Stripe's words for why a refund failed.
    private static func failureReason(_ operation: Operation) -> String? {
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
            guard authorization.authorized > 0 else { return nil }
            return [
                "network_status": "approved_by_network", "reason": nil, "risk_level": "normal",
                "seller_message": "Payment complete.", "type": "authorized",
            ]
        }
        let isBlocked = code == .suspectedFraud
        return .object(omittingAbsent: [
            "advice_code": StripeError.word(code).advice.map(JSON.string),
            "network_status": isBlocked ? "not_sent_to_network" : "declined_by_network",
            "reason": .string(StripeError.word(code).declineCode ?? StripeError.word(code).code),
            "risk_level": isBlocked ? "highest" : "normal",
            "seller_message": .string(code.message),
            "type": isBlocked ? "blocked" : "issuer_declined",
        ])
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
                "last4": .string(method.last4),
                "multicapture": ["status": .string(multicapture)],
                "network": .string(method.network),
            ]),
        ]
    }
}
