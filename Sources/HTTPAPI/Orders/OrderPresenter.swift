package import Domain
package import StrictJSON

/// Writes orders as the API shows them.
package enum OrderPresenter {
    /// An order as the bytes of an answer.
    package static func answer(_ order: Order) -> [UInt8] { json(order).bytes }

    /// An order as JSON.
    package static func json(_ order: Order) -> JSON {
        let decision = order.decision.state == .cleared ? Decision.State.pending : order.decision.state
        return .object(omittingAbsent: [
            "id": .string(order.id.text), "reference": .optional(order.reference),
            "status": .string(order.status.rawValue), "decision": .string(decision.rawValue),
            "decision_reason": .optional(order.decision.reason?.rawValue),
            "amount": .integer(order.amount.minorUnits), "payable_amount": .integer(order.payable),
            "currency": .string(order.amount.currency.code),
            "residual": .integer(order.amount.minorUnits - order.payable), "policy": policy(order.terms.policy),
            "capture": .string(order.terms.capture.rawValue), "on_deadline": .string(order.terms.onDeadline.rawValue),
            "authorized_amount": .integer(order.authorized), "captured_amount": .integer(order.captured),
            "refunded_amount": .integer(order.refunded),
            "capture_before": .optional(order.captureBefore?.description),
            "deadline_at": .string(order.terms.deadlineAt.description),
            "decide_by": .string(order.terms.decideBy.description),
            "attention": .array(order.attention.map(attention)),
            "created_at": .string(order.createdAt.description), "metadata": metadata(order.metadata),
            "payments": .array(order.payments.map(payment)),
        ])
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
            "refunded_amount": .integer(payment.refunded), "allocation": .array(payment.allocation.map(line)),
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
        [
            "payment": .string(item.payment.text), "operation": .string(item.operation.text),
            "reason": .string(item.reason.rawValue), "amount_at_risk": .integer(item.amountAtRisk),
            "since": .string(item.since.description),
        ]
    }

    private static func line(_ line: AllocationLine) -> JSON {
        [
            "kind": .string(line.kind.rawValue), "party": .string(line.party), "amount": .integer(line.amount),
            "captured": .integer(line.captured), "refunded": .integer(line.refunded),
        ]
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
        for case .rejected(let rejection) in states {
            return [
                "reason": .string(rejection.reason.rawValue), "code": .string(rejection.code),
                "message": .string(rejection.message),
            ]
        }
        return nil
    }

    private static func action(_ state: OperationState) -> JSON? {
        guard case .actionRequired(let action) = state else { return nil }
        return .object(omittingAbsent: [
            "type": .string(action.kind.rawValue), "url": action.url.map(JSON.string),
            "data": action.data.map(JSON.string), "expires_at": .optional(action.expiresAt?.description),
        ])
    }

    private static func metadata(_ items: [MetadataItem]) -> JSON {
        .object(items.map { .init($0.key, .string($0.value)) })
    }
}
