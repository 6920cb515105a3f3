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
            payment: { payment, order in self.payment(payment, of: order, to: .merchant) },
            cover: PayoutPresenter.json,
            payout: PayoutPresenter.json,
            agreement: { AgreementPresenter.json($0, isForMerchant: $1) }
        )
    }

    /// An order as the bytes of an answer.
    package static func answer(_ order: Order) -> [UInt8] { json(order).bytes }

    /// An order as JSON.
    package static func json(_ order: Order) -> JSON {
        let decision = order.decision.state == .cleared ? Decision.State.pending : order.decision.state
        return .object(omittingAbsent: [
            "id": .string(order.id.text), "livemode": .bool(order.clock.isLive),
            "reference": .optional(order.reference),
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
            "attention": .array(order.attention.map { attention($0, of: order) }),
            "created_at": .string(order.createdAt.description),
            "decided_at": .optional(order.decision.state == .cleared ? nil : order.decision.at?.description),
            "updated_at": .string(order.updatedAt.description), "metadata": metadata(order.metadata),
            "payments": .array(order.payments.map { payment($0, of: order) }),
            "refunds": .array(order.refunds.map { RefundPresenter.json($0, of: order) }),
            "agreement": order.agreement.map(agreement),
            "apple_pay": order.terms.wallet == .applePay ? ApplePayPresenter.json(of: order) : .none,
        ]).withDecimals(in: order.amount.currency)
    }

    /// Who reads a payment.
    package enum Reader: Sendable {
        /// The marketplace, which gave the order its reference.
        case marketplace
        /// The payment's merchant, to whom the order's reference is nobody's business.
        case merchant
    }

    /// A payment as JSON, with what it has of its order.
    package static func payment(_ payment: Payment, of order: Order, to reader: Reader = .marketplace) -> JSON {
        let (attempt, currency) = (payment.attempt, order.amount.currency)
        return .object(omittingAbsent: [
            "id": .string(payment.id.text), "livemode": .bool(order.clock.isLive), "order": .string(order.id.text),
            "order_reference": reader == .marketplace ? .optional(order.reference) : .none,
            "external_identifier": .string(payment.externalIdentifier),
            "merchant": .string(payment.merchant.text), "psp": .string(attempt.route.psp),
            "psp_account": .string(attempt.route.pspAccount), "psp_reference": .optional(attempt.pspReference),
            "currency": .string(currency.code), "amount": .integer(payment.amount),
            "status": .string(payment.state.rawValue),
            "authorized_amount": .integer(payment.authorized), "captured_amount": .integer(payment.captured),
            "refunded_amount": .integer(payment.refunded), "charged_back_amount": .integer(payment.chargedBack),
            "capture_before": payment.held > 0 ? .optional(attempt.expiresAt?.description) : .none,
            "canceled_at": payment.canceledAt.map { .string($0.description) },
            "created_at": .string(order.createdAt.description),
            "authorized_at": .optional(payment.authorizedAt?.description),
            "captured_at": .optional(payment.capturedAt?.description),
            "disputes": .array(payment.disputes.map { dispute($0, of: payment, in: order, to: reader) }),
            "allocation": .array(payment.allocation.map { line($0).withDecimals(in: currency) }),
            "failure": failure(payment), "decline": decline(payment), "rejection": rejection(attempt),
            "action": payment.waitsForBuyer ? action(attempt.authorization.state) : nil,
            "network": attempt.network.map(JSON.string),
            "last4": attempt.last4.map(JSON.string), "reference": payment.reference.map(JSON.string),
            "metadata": metadata(payment.metadata),
        ]).withDecimals(in: currency)
    }

    private static func agreement(_ use: AgreementUse) -> JSON {
        .object(omittingAbsent: [
            "id": .string(use.agreement.text), "type": .string(use.type.rawValue),
            "charge_reason": use.charge.map { .string($0.rawValue) },
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

    private static func attention(_ item: Attention, of order: Order) -> JSON {
        let payment = order.payments.first { $0.id == item.payment }
        return .object(omittingAbsent: [
            "payment": .string(item.payment.text), "merchant": payment.map { .string($0.merchant.text) },
            "external_identifier": payment.map { .string($0.externalIdentifier) },
            "operation": .string(item.operation.text),
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

    private static func dispute(
        _ dispute: Dispute,
        of payment: Payment,
        in order: Order,
        to reader: Reader
    ) -> JSON {
        .object(omittingAbsent: [
            "id": .string(dispute.id.text), "livemode": .bool(order.clock.isLive), "order": .string(order.id.text),
            "order_reference": reader == .marketplace ? .optional(order.reference) : .none,
            "payment": .string(payment.id.text), "merchant": .string(payment.merchant.text),
            "external_identifier": .string(payment.externalIdentifier),
            "state": .string(dispute.state.rawValue), "currency": .string(order.amount.currency.code),
            "amount": .integer(dispute.amount), "reason": dispute.reason.map(JSON.string),
            "respond_by": .optional(dispute.respondBy?.description), "psp_reference": .string(dispute.reference),
            "fee": .integer(dispute.fee), "created_at": .string(dispute.heardAt.description),
        ]).withDecimals(in: order.amount.currency)
    }

    /// Why a payment that was not authorized came to nothing, in the same words whoever said no.
    ///
    /// What never left, and a decline that is no final no, may be tried again with a new order.
    private static func failure(_ payment: Payment) -> JSON? {
        func failure(_ code: String, _ message: String, retryable: Bool) -> JSON {
            ["code": .string(code), "message": .string(message), "retryable": .bool(retryable)]
        }
        switch payment.state {
        case .declined:
            return payment.decline.map { failure($0.code, $0.message, retryable: $0.isRetryable) }
        case .rejected:
            return payment.attempt.authorization.state.rejection
                .map { failure($0.code, $0.message, retryable: false) }
        case .notSent:
            guard case .notSent(let reason) = payment.attempt.authorization.state else { return nil }
            return failure("not_sent", reason, retryable: true)
        case .captureFailed:
            return payment.attempt.all(.capture).last?.state.rejection
                .map { failure($0.code, $0.message, retryable: false) }
        case .created, .authorizing, .requiresAction, .pending, .unresolved, .authorized, .capturing, .captured,
            .voiding, .voided, .expired:
            return nil
        }
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
