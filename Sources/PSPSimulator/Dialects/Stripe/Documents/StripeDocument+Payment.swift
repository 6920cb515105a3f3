import StrictJSON

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
            "application": nil, "application_fee_amount": .optional(command.applicationFee),
            "automatic_payment_methods": nil, "canceled_at": status == "canceled" ? lastChange(authorization) : nil,
            "cancellation_reason": .optional(reason),
            "capture_method": command.capture ? "automatic" : "manual",
            "client_secret": .string(id + "_secret_simulated"), "confirmation_method": "automatic",
            "created": seconds(authorization.createdAt), "currency": .string(command.currency.lowercased()),
            "customer": nil, "description": .optional(command.details["description"]),
            "last_payment_error": .optional(authorization.failure.map { StripeError.json($0, authorization) }),
            "latest_charge": hasCharge ? charge : nil, "livemode": false, "metadata": metadata(command.metadata),
            "next_action": nextAction(authorization, origin),
            "on_behalf_of": .optional(command.details["on_behalf_of"]),
            "payment_method": .string("pm_" + chargeName(authorization).dropFirst(3)),
            "payment_method_options": .object([]), "payment_method_types": ["card"], "processing": nil,
            "receipt_email": nil, "review": nil, "setup_future_usage": nil, "shipping": nil,
            "statement_descriptor": nil,
            "statement_descriptor_suffix": .optional(command.details["statement_descriptor_suffix"]),
            "status": .string(status), "transfer_data": transfer(command),
            "transfer_group": .optional(command.details["transfer_group"]),
        ]
    }

    /// A payment that has not been confirmed.
    static func payment(_ draft: StripeDrafts.Draft, _ wish: StripeWish) -> JSON {
        let open = wish.hasMethod ? "requires_confirmation" : "requires_payment_method"
        return [
            "id": .string(draft.id), "object": "payment_intent", "amount": .integer(wish.amount),
            "amount_capturable": 0, "amount_received": 0, "application_fee_amount": .optional(wish.applicationFee),
            "canceled_at": nil, "cancellation_reason": nil, "capture_method": wish.capture ? "automatic" : "manual",
            "client_secret": .string(draft.id + "_secret_simulated"), "confirmation_method": "automatic",
            "created": seconds(draft.createdAt), "currency": .string(wish.currency.lowercased()),
            "last_payment_error": nil,
            "latest_charge": nil, "livemode": false, "metadata": metadata(wish.metadata), "next_action": nil,
            "payment_method": nil, "payment_method_types": ["card"],
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
        guard authorization.status == .requiresAction else { return nil }
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
        guard let destination = command.details["transfer_data[destination]"] else { return nil }
        return .object(omittingAbsent: [
            "amount": command.details["transfer_data[amount]"].flatMap { Int64($0) }.map(JSON.integer),
            "destination": .string(destination),
        ])
    }
}

extension Authorization {
    /// The latest capture that had succeeded and failed after all.
    var lostCapture: Operation? { operations.last { $0.kind == .capture && $0.status == .failedLater } }

    /// Why the payment failed; nil if it has not.
    var failure: DeclineCode? { decline ?? (lostCapture == nil ? nil : .generic) }
}
