import AdapterKit
import Domain
import Storage
import StrictJSON

/// A draft checked against everything stored, and the order that it makes.
struct OrderPlan {
    /// The order, with a payment and an attempt for each context.
    let order: Order
    /// What each attempt's authorization is written from.
    let details: [AttemptID: AuthorizationDetails]
    /// What of a wallet token pays a payment, and why.
    let tokenDetails: [PaymentID: [OrderEvent.Detail]]

    /// Plans an order.
    ///
    /// - Throws: ``PlacementRefusal/invalid(_:)`` with every reason at once.
    init(
        _ decrypted: DecryptedDraft,
        in placement: PlacementContext,
        ids: inout IdentifierSource,
        random: RandomSource = .system
    ) throws(PlacementRefusal) {
        let draft = decrypted.draft
        let violations = Violations()
        for violation in decrypted.violations { violations.add(violation) }
        Self.checkPaymentRequest(draft, in: placement, violations)
        let use = Self.agreement(draft, in: placement, violations)
        let split = Self.split(draft, violations)
        let orderID = OrderID.make(from: &ids, at: placement.now)
        ids = IdentifierSource(of: orderID, step: 1, random: random)
        var payments: [Payment] = []
        var details: [AttemptID: AuthorizationDetails] = [:]
        var tokenDetails: [PaymentID: [OrderEvent.Detail]] = [:]
        let instruments = Self.instruments(of: decrypted, violations)
        for (index, context) in draft.contexts.enumerated() {
            let pointer = JSONPointer.root.appending("contexts").appending(index)
            let merchant = Self.merchant(of: context, in: placement, at: pointer, violations)
            guard let merchant else { continue }
            let part = Part(context: context, merchant: merchant, instrument: instruments[index], pointer: pointer)
            guard let instrument = part.instrument else {
                // What pays is wrong or missing; whether anybody could take it is told beside that.
                _ = part.routes(hasCommission: false, in: placement, violations)
                continue
            }
            guard let payment = part.payment(in: placement, ids: &ids, violations) else { continue }
            payments.append(payment)
            details[payment.attempt.id] = instrument.credential.map { credential in
                var details = AuthorizationDetails(credential)
                details.buyer = draft.buyer
                details.statementDescriptor = context.statementDescriptor ?? merchant.statementDescriptor
                details.lineItems = context.lineItems
                let shipping = context.stated.filter { $0.kind == .shipping }.reduce(0) { $0 + $1.amount }
                details.shipping = shipping > 0 ? shipping : nil
                if draft.charge != nil { details.earlierPayment = placement.agreement?.earlierPayment }
                return details
            }
            tokenDetails[payment.id] = decrypted.choices[context.externalIdentifier]
        }
        let terms = Self.terms(draft, paidBy: details.values.map(\.credential), in: placement, violations)
        guard split != nil, violations.isEmpty else { throw .invalid(violations.all) }
        var order = Order(
            id: orderID,
            marketplace: placement.marketplace,
            reference: draft.reference,
            amount: draft.amount,
            metadata: draft.metadata,
            createdAt: placement.time,
            terms: terms,
            payments: payments,
            clock: placement.clock
        )
        order.agreement = use
        self.order = order
        self.details = details
        self.tokenDetails = tokenDetails
    }

    /// A payment request serves one order, in its currency, for half an hour.
    private static func checkPaymentRequest(
        _ draft: OrderDraft,
        in placement: PlacementContext,
        _ violations: Violations
    ) {
        guard draft.paymentRequest != nil else { return }
        let place = JSONPointer.root.appending("payment_request")
        guard let request = placement.paymentRequest else {
            return violations.add(at: place, "unknown_payment_request", "There is no such payment request.")
        }
        if request.usedBy != nil {
            violations.add(at: place, "payment_request_used", "An order was placed with it; it serves one sheet.")
        } else if request.expiresAt <= placement.now {
            violations.add(at: place, "payment_request_expired", "It is older than 30 minutes; store a new one.")
        }
        let asked = PaymentRequestDraft(document: request.document)
        if let currency = asked?.amount.currency, currency != draft.amount.currency {
            violations.add(at: place, "currency_mismatch", "It asks for \(currency).")
        }
        if let agreement = asked?.agreement?.id, agreement != draft.agreement {
            violations.add(at: place, "agreement_mismatch", "Its sheet asks for the agreement \(agreement): name it.")
        }
        if !request.hasContexts, draft.contexts.count > 1, draft.payment != nil {
            violations.add(
                at: place,
                "contexts_cannot_be_added",
                "The sheet opened without contexts, so its token pays one context."
            )
        }
    }

    /// What the order has to do with an agreement, which is with one merchant.
    private static func agreement(
        _ draft: OrderDraft,
        in placement: PlacementContext,
        _ violations: Violations
    ) -> AgreementUse? {
        guard let index = draft.contexts.firstIndex(where: { $0.agreement != nil }) else { return nil }
        let place = JSONPointer.root.appending("contexts").appending(index).appending("agreement")
        guard draft.contexts.count == 1 else {
            violations.add(at: place, "agreement_needs_one_context", "An agreement is with one merchant.")
            return nil
        }
        guard let plan = placement.agreement else {
            violations.add(at: place, "unknown_agreement", "There is no such agreement.")
            return nil
        }
        return AgreementUse(plan.agreement.id, type: plan.agreement.terms.type, charge: draft.charge)
    }

    private static func split(_ draft: OrderDraft, _ violations: Violations) -> Split? {
        do throws(SplitRefusals) {
            let contexts = draft.contexts.map {
                TokenContext(externalIdentifier: $0.externalIdentifier, amount: $0.amount)
            }
            let split = try Split(total: draft.amount, contexts: contexts, acceptsResidual: draft.acceptsResidual)
            do throws(PolicyRefusal) { try draft.policy.check(against: split) } catch {
                violations.add(error.violation)
            }
            return split
        } catch {
            for refusal in error.all { violations.add(refusal.violation) }
            return nil
        }
    }

    /// The instrument of each context; nil where there is none, which is then a violation.
    private static func instruments(of decrypted: DecryptedDraft, _ violations: Violations) -> [OrderDraft.Instrument?]
    {
        let draft = decrypted.draft
        guard let shared = draft.payment else {
            return draft.contexts.enumerated().map { index, context in
                if decrypted.unpaid.contains(index) { return nil }
                if context.payment == nil {
                    violations.add(
                        Violation(
                            pointer: "/contexts/\(index)/payment",
                            code: "credential_missing",
                            detail: "Nothing says what pays for this context."
                        )
                    )
                }
                return context.payment
            }
        }
        guard draft.contexts.count == 1 else {
            violations.add(
                Violation(
                    pointer: "/payment",
                    code: "credential_covers_one_context",
                    detail: "One credential pays one context: give each context a payment of its own."
                )
            )
            return draft.contexts.map { _ in nil }
        }
        if draft.contexts[0].payment != nil {
            violations.add(
                Violation(
                    pointer: "/contexts/0/payment",
                    code: "credential_given_twice",
                    detail: "A payment stands on the order and on the context; send one of them."
                )
            )
        }
        return decrypted.unpaid.isEmpty ? [shared] : [nil]
    }

    private static func merchant(
        of context: OrderDraft.Context,
        in placement: PlacementContext,
        at pointer: JSONPointer,
        _ violations: Violations
    ) -> Merchant? {
        guard let merchant = placement.merchants[context.externalIdentifier] else {
            violations.add(
                at: pointer.appending("external_identifier"),
                "unknown_merchant",
                "The marketplace has no merchant with this external identifier."
            )
            return nil
        }
        merchant.check(
            identifier: context.merchantIdentifier,
            name: context.merchantName,
            domain: context.merchantDomain,
            at: pointer,
            violations
        )
        return merchant
    }

    private static func terms(
        _ draft: OrderDraft,
        paidBy credentials: [Credential],
        in placement: PlacementContext,
        _ violations: Violations
    ) -> OrderTerms {
        let deadline = placement.time.adding(
            milliseconds: draft.deadlineMilliseconds ?? placement.settings.deadlineMilliseconds
        )
        let decideBy: Timestamp =
            switch draft.decideBy {
            case .at(let moment): moment
            case .after(let milliseconds): placement.time.adding(milliseconds: milliseconds)
            case nil: placement.time.adding(milliseconds: placement.settings.decideByMilliseconds)
            }
        if decideBy <= placement.time || decideBy > placement.time.adding(milliseconds: 86_400_000) {
            violations.add(
                Violation(
                    pointer: "/decide_by",
                    code: "out_of_range",
                    detail: "Must lie ahead, at most 24 hours after placement."
                )
            )
        }
        let isWallet = credentials.contains { $0.kind != .pspToken }
        return OrderTerms(
            policy: draft.policy,
            capture: draft.capture,
            onDeadline: draft.onDeadline ?? (isWallet ? .abandon : .continue),
            onCaptureFailure: draft.onCaptureFailure,
            deadlineAt: deadline,
            decideBy: decideBy,
            returnURL: draft.returnURL,
            wallet: wallet(of: credentials)
        )
    }
}

extension OrderPlan {
    /// The wallet that any of the credentials came from.
    private static func wallet(of credentials: some Sequence<Credential>) -> OrderTerms.Wallet? {
        let wallets = credentials.compactMap { credential -> OrderTerms.Wallet? in
            switch credential {
            case .encryptedApplePay: .applePay
            case .networkToken(let token): OrderTerms.Wallet(rawValue: token.source.rawValue)
            case .pspToken, .storedNetworkToken: nil
            }
        }
        return wallets.contains(.applePay) ? .applePay : wallets.first
    }
}

/// One context with its merchant and instrument.
private struct Part {
    let context: OrderDraft.Context
    let merchant: Merchant
    /// What pays; nil if that is missing or refused.
    let instrument: OrderDraft.Instrument?
    let pointer: JSONPointer

    func payment(
        in placement: PlacementContext,
        ids: inout IdentifierSource,
        _ violations: Violations
    ) -> Payment? {
        var charge = context.commission ?? merchant.commission.charge(on: context.amount, stated: context.stated)
        // Another amount than the rule's; what becomes of it when money goes back is the rule's all the same.
        charge.returnedOnRefund = merchant.commission.returnedOnRefund
        guard
            let lines = charge.lines(
                of: context.amount.minorUnits,
                stated: context.stated,
                merchant: merchant.externalIdentifier,
                marketplace: placement.marketplace
            )
        else {
            violations.add(
                at: pointer.appending(context.commission == nil ? "amount" : "commission"),
                "commission_exceeds_payment",
                "Commission and its tax are more than what is the merchant's of the payment."
            )
            _ = routes(hasCommission: true, in: placement, violations)
            return nil
        }
        let routes = routes(
            hasCommission: lines.commission > 0,
            returnsUnevenly: lines.returnsUnevenly,
            in: placement,
            violations
        )
        guard let route = routes.first else { return nil }
        let reroute = placement.agreement == nil ? instrument?.credential?.reroute ?? .never : .never
        let operation = Operation(
            id: ids.make(at: placement.now),
            kind: .authorize,
            amount: context.amount.minorUnits,
            origin: .gateway,
            createdAt: placement.time
        )
        let attempt = Attempt(id: ids.make(at: placement.now), route: route, operations: [operation])
        var payment = Payment(
            id: ids.make(at: placement.now),
            merchant: merchant.id,
            externalIdentifier: merchant.externalIdentifier,
            amount: context.amount.minorUnits,
            reference: context.reference,
            metadata: context.metadata,
            allocation: lines,
            attempts: [attempt],
            alternatives: reroute == .never ? [] : Array(routes.dropFirst()),
            reroute: reroute
        )
        payment.disputeLiability = merchant.disputeLiability
        return payment
    }

    /// The routes that can take the payment, the preferred first; none is a violation.
    func routes(
        hasCommission: Bool,
        returnsUnevenly: Bool = false,
        in placement: PlacementContext,
        _ violations: Violations
    ) -> [RouteSnapshot] {
        do throws(NoRoute) {
            return try placement.router.routes(
                Router.Request(
                    merchant: merchant,
                    currency: context.amount.currency,
                    instrument: instrument,
                    hasCommission: hasCommission,
                    keepsTipOrShipping: context.stated.contains { $0.keptBy == .marketplace },
                    returnsUnevenly: returnsUnevenly,
                    agreement: placement.agreement?.need ?? .none
                )
            )
        } catch {
            let why = error.reasons.isEmpty ? "the merchant has no routes" : error.reasons.joined(separator: "; ")
            violations.add(
                at: pointer.appending("external_identifier"),
                "no_route",
                "No PSP account of the merchant can take this payment: \(why)."
            )
            return []
        }
    }
}
