package import Domain
package import Gateway
package import StrictJSON

/// Writes orders as the API shows them.
package enum OrderPresenter {
    /// Orders, payments and payouts as the API shows them.
    package static var presentation: Presentation {
        Presentation(
            answer: answer,
            order: json,
            payment: { payment, order in self.payment(payment, of: order) },
            cover: PayoutPresenter.json,
            payout: PayoutPresenter.json
        )
    }

    /// An order as the bytes of an answer.
    package static func answer(_ order: Order) -> [UInt8] { json(order).bytes }

    /// An order as JSON.
    package static func json(_ order: Order) -> JSON {
        let decision = order.decision.state == .cleared ? Decision.State.pending : order.decision.state
        return .object(omittingAbsent: [
            "id": .string(order.id.text), "reference": .optional(order.reference),
            "version": .integer(order.version),
            "status": .string(order.status.rawValue), "decision": .string(decision.rawValue),
            "decision_reason": .optional(order.decision.reason?.rawValue),
            "amount": .integer(order.amount.minorUnits), "payable_amount": .integer(order.payable),
            "currency": .string(order.amount.currency.code),
            "residual": .integer(order.amount.minorUnits - order.payable), "policy": policy(order.terms.policy),
            "capture": .string(order.terms.capture.rawValue), "on_deadline": .string(order.terms.onDeadline.rawValue),
            "authorized_amount": .integer(order.authorized), "captured_amount": .integer(order.captured),
            "refunded_amount": .integer(order.refunded), "charged_back_amount": .integer(order.chargedBack),
            "capture_before": .optional(order.captureBefore?.description),
            "deadline_at": .string(order.terms.deadlineAt.description),
            "decide_by": .string(order.terms.decideBy.description),
            "next_actions": .array(order.awaitedActions.map(step)),
            "attention": .array(order.attention.map(attention)),
            "created_at": .string(order.createdAt.description), "metadata": metadata(order.metadata),
            "payments": .array(order.payments.map(payment)),
            "refunds": .array(order.refunds.map { RefundPresenter.json($0, of: order) }),
            "apple_pay": order.terms.wallet == .applePay ? ApplePayPresenter.json(order.applePayResult()) : .none,
        ])
    }

    /// A payment as JSON, with the order that it belongs to.
    package static func payment(_ payment: Payment, of order: Order) -> JSON {
        guard case .object(let members) = self.payment(payment) else { return self.payment(payment) }
        return .object(members + [.init("order", .string(order.id.text))])
    }

    /// A payment as JSON.
    package static func payment(_ payment: Payment) -> JSON {
        let attempt = payment.attempt
        return .object(omittingAbsent: [
            "id": .string(payment.id.text), "external_identifier": .string(payment.externalIdentifier),
            "merchant": .string(payment.merchant.text), "psp": .string(attempt.route.psp),
            "psp_account": .string(attempt.route.pspAccount), "psp_reference": .optional(attempt.pspReference),
            "amount": .integer(payment.amount), "status": .string(payment.state.rawValue),
            "authorized_amount": .integer(payment.authorized), "captured_amount": .integer(payment.captured),
            "refunded_amount": .integer(payment.refunded), "charged_back_amount": .integer(payment.chargedBack),
            "capture_before": payment.held > 0 ? .optional(attempt.expiresAt?.description) : .none,
            "canceled_at": payment.canceledAt.map { .string($0.description) },
            "disputes": .array(payment.disputes.map(dispute)), "allocation": .array(payment.allocation.map(line)),
            "decline": decline(payment), "rejection": rejection(attempt),
            "action": action(attempt.authorization.state), "network": attempt.network.map(JSON.string),
            "last4": attempt.last4.map(JSON.string), "reference": payment.reference.map(JSON.string),
            "metadata": metadata(payment.metadata),
        ])
    }

    private static func policy(_ policy: Policy) -> JSON {
        switch policy {
        case .allOrNothing, .bestEffort: ["type": .string(policy.name)]
        case .required(let names):
            ["type": .string(policy.name), "external_identifiers": .strings(names.sorted())]
        case .minimum(let amount): ["type": .string(policy.name), "amount": .integer(amount)]
        }
    }

    private static func attention(_ item: Attention) -> JSON {
        .object(omittingAbsent: [
            "payment": .string(item.payment.text), "operation": .string(item.operation.text),
            "reason": .string(item.reason.rawValue), "amount_at_risk": .integer(item.amountAtRisk),
            "since": .string(item.since.description), "webhook": item.webhook.map { .string($0.text) },
        ])
    }

    private static func line(_ line: AllocationLine) -> JSON {
        [
            "kind": .string(line.kind.rawValue), "party": .string(line.party), "amount": .integer(line.amount),
            "captured": .integer(line.captured), "refunded": .integer(line.refunded),
        ]
    }

    private static func dispute(_ dispute: Dispute) -> JSON {
        .object(omittingAbsent: [
            "id": .string(dispute.id.text), "state": .string(dispute.state.rawValue),
            "amount": .integer(dispute.amount), "reason": dispute.reason.map(JSON.string),
            "respond_by": .optional(dispute.respondBy?.description), "psp_reference": .string(dispute.reference),
            "fee": .integer(dispute.fee),
        ])
    }

    private static func decline(_ payment: Payment) -> JSON? {
        guard let decline = payment.decline else { return nil }
        return [
            "code": .string(decline.code), "category": .string(decline.category.rawValue),
            "message": .string(decline.message), "retryable": .bool(decline.isRetryable),
        ]
    }

    /// Why the PSP refused the authorization, or else the latest capture.
    private static func rejection(_ attempt: Attempt) -> JSON? {
        let states = [attempt.authorization.state] + [attempt.all(.capture).last?.state].compactMap(\.self)
        for state in states {
            guard let rejection = state.rejection else { continue }
            return [
                "reason": .string(rejection.reason.rawValue), "code": .string(rejection.code),
                "message": .string(rejection.message),
            ]
        }
        return nil
    }

    private static func step(_ step: AwaitedAction) -> JSON {
        [
            "payment": .string(step.payment.id.text), "external_identifier": .string(step.payment.externalIdentifier),
            "merchant": .string(step.payment.merchant.text), "amount": .integer(step.payment.amount),
            "needed": .bool(step.isNeeded), "action": action(step.action),
        ]
    }

    private static func action(_ state: OperationState) -> JSON? {
        guard case .actionRequired(let action) = state else { return nil }
        return self.action(action)
    }

    private static func action(_ action: NextAction) -> JSON {
        .object(omittingAbsent: [
            "type": .string(action.kind.rawValue), "url": action.url.map(JSON.string),
            "data": action.data.map(JSON.string), "expires_at": .optional(action.expiresAt?.description),
        ])
    }

    private static func metadata(_ items: [MetadataItem]) -> JSON {
        .object(items.map { .init($0.key, .string($0.value)) })
    }
}

extension OperationState {
    /// Why the PSP refused it, or why what it did failed after all.
    fileprivate var rejection: Rejection? {
        switch self {
        case .rejected(let rejection), .reversed(let rejection): rejection
        case .open, .unknown, .pending, .actionRequired, .notSent, .declined, .succeeded: nil
        }
    }
}

extension Problem {
    /// The problem with what Apple's sheet is told of it, if the body that it answers came from a sheet.
    ///
    /// What is wrong with the buyer's contact is something that the buyer can mend in the sheet.
    func toldToSheet(of body: JSON) -> Problem {
        let payments = [body["payment"]] + (body["contexts"]?.arrayValue ?? []).map { $0["payment"] }
        guard payments.contains(where: { $0?["type"]?.stringValue == "apple_pay" }) else { return self }
        var problem = self
        problem.applePay = ApplePayResult(status: .failure, errors: errors.compactMap(Self.contactError))
        return problem
    }

    private static func contactError(_ violation: Violation) -> ApplePayError? {
        switch violation.pointer {
        case "/buyer/email":
            ApplePayError(.shippingContactInvalid, field: .emailAddress, message: "The email address is not valid.")
        case "/buyer/country":
            ApplePayError(.billingContactInvalid, field: .countryCode, message: "The country is not valid.")
        default: nil
        }
    }
}
