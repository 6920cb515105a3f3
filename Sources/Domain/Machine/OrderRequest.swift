/// What somebody asks of an order behind its checkout.
package enum OrderRequest: Hashable, Sendable {
    /// Take what is held.
    case capture(CaptureRequest)
    /// Let go of what is held beyond what is captured.
    case release(ReleaseRequest)
    /// Call it off.
    case cancel
    /// Call payments of it off; of those that are captured in part, the rest.
    ///
    /// Whether the caller may release what is held once something of the order is captured, decided by the step: it alone
    /// sees what is.
    case cancelPayments([PaymentID], mayRelease: Bool = true)
    /// Give money back.
    case refund(RefundRequest)
    /// The buyer has done the step: look what became of it.
    case complete(PaymentID)
    /// An operator found out what became of an operation.
    case resolve(OperationID, ManualOutcome, Evidence)
    /// An operator wants tried now what rests in doubt or after a refusal: one operation, or all of the order's.
    case retry(OperationID?, by: String)
    /// An operator found out what a PSP did without telling us.
    case record(OperatorRecord, Evidence)

    /// Where an operator has a word from.
    package struct Evidence: Hashable, Sendable {
        /// Where it can be seen, for example the PSP's name for the object.
        package let evidence: String
        /// Why the operator says so.
        package let reason: String
        /// Who the operator is.
        package let person: String

        /// Makes evidence.
        package init(evidence: String, reason: String, by person: String) {
            self.evidence = evidence
            self.reason = reason
            self.person = person
        }

        /// What events say of it.
        var details: [OrderEvent.Detail] {
            [.init("evidence", .text(evidence)), .init("reason", .text(reason)), .init("by", .text(person))]
        }
    }
}

extension OrderMachine {
    /// Does what is asked, and keeps the refund that was made of it.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - abilities: how the PSPs capture, by their names; one that is not named captures all or nothing.
    /// - Throws: ``RequestRefusal``; then nothing is changed.
    mutating func apply(
        _ request: OrderRequest,
        abilities: [String: CaptureAbility]
    ) throws(RequestRefusal) {
        func ability(_ route: RouteSnapshot) -> CaptureAbility {
            abilities[route.psp] ?? CaptureAbility(partial: false, multiple: false)
        }
        switch request {
        case .capture(let capture): try self.capture(capture, ability: ability)
        case .release(let release): try self.release(release, ability: ability)
        case .cancel: try cancel()
        case .cancelPayments(let payments, let mayRelease):
            try cancel(payments, mayRelease: mayRelease, ability: ability)
        case .refund(let refund): self.refund = try self.refund(refund).id
        case .complete(let payment):
            try complete(payment)
            let authorization = order.payments.first { $0.id == payment }?.attempt.authorization.id
            if let authorization { _ = claim(authorization) }
        case .resolve(let operation, let word, let evidence): try resolve(operation, word, evidence)
        case .retry(let operation, let person): try retry(operation, by: person)
        case .record(let record, let evidence): try self.record(record, evidence, ability: ability)
        }
    }
}

extension OrderMachine {
    /// Hears from the buyer's side that the step is done: the authorization is asked after at once.
    ///
    /// - Throws: ``RequestRefusal`` unless the payment waits for the buyer.
    package mutating func complete(_ id: PaymentID) throws(RequestRefusal) {
        let payment = try payment(id)
        guard payment.waitsForBuyer else {
            throw RequestRefusal(.actionNotRequired, "The payment is \(payment.state.rawValue).", payment: id)
        }
        let authorization = payment.attempt.authorization.id
        change(authorization) { [now] in
            $0.dueAt = now
            $0.leasedBy = nil
        }
        emit("payment.action_completed", of: id, operation: authorization)
    }
}

/// What the marketplace wants captured of an order.
package enum CaptureRequest: Hashable, Sendable {
    /// All that is held.
    case whole
    /// Amounts of payments.
    case items([Item])

    /// What is wanted of one payment.
    package struct Item: Hashable, Sendable {
        /// The payment.
        package let payment: PaymentID
        /// The amount in minor units; nil for all that is held.
        package let amount: Int64?
        /// Whether what it leaves of the hold is released.
        package let isFinal: Bool

        /// Makes an item.
        package init(payment: PaymentID, amount: Int64? = nil, isFinal: Bool = true) {
            self.payment = payment
            self.amount = amount
            self.isFinal = isFinal
        }
    }
}

/// How a PSP account can capture, as its adapter declares.
package struct CaptureAbility: Hashable, Sendable {
    /// Whether less than is authorized can be captured, the rest being released.
    package var partial: Bool
    /// Whether a hold can be captured in several parts.
    package var multiple: Bool
    /// Whether what is left of a hold that was captured in part can be let go of.
    package var releasesRest: Bool
    /// Whether a refund that we did not start leaves the marketplace its commission.
    package var keepsCommission: Bool

    /// Makes a declaration.
    package init(partial: Bool, multiple: Bool, releasesRest: Bool = false, keepsCommission: Bool = false) {
        self.partial = partial
        self.multiple = multiple
        self.releasesRest = releasesRest
        self.keepsCommission = keepsCommission
    }
}

/// What the marketplace wants given back of an order.
package struct RefundRequest: Hashable, Sendable {
    /// How much of which payment.
    package enum Share: Hashable, Sendable {
        /// All that is left.
        case all
        /// An amount, which says enough only if one payment is captured.
        case amount(Int64)
        /// An amount, divided in proportion to what is still refundable (largest remainder).
        case proportional(Int64)
        /// Amounts of payments, each payment once.
        case items([Refund.Item])
    }

    /// How much of which payment.
    package let share: Share
    /// Who bears the merchants' share of it.
    package let borneBy: Refund.Bearer
    /// The marketplace's reason; empty for none.
    package let reason: String

    /// Makes a request.
    package init(_ share: Share, borneBy: Refund.Bearer = .merchant, reason: String = "") {
        self.share = share
        self.borneBy = borneBy
        self.reason = reason
    }
}

/// What an operator found out about an operation, outside of the gateway.
package enum ManualOutcome: Hashable, Sendable {
    /// It was done: the amount in minor units, nil for what was asked, and the PSP's name for it if known.
    case succeeded(amount: Int64? = nil, reference: String? = nil)
    /// It was refused, and no money moved because of it.
    case failed
    /// It never reached the PSP.
    case notSent
}

/// What a PSP did to a payment without telling us, as an operator found it there.
package struct OperatorRecord: Hashable, Sendable {
    /// What it did.
    package enum Deed: Hashable, Sendable {
        /// It took an amount in minor units; the rest of the hold is released if that was the last capture.
        case capture(amount: Int64, isFinal: Bool)
        /// It released what is held.
        case void
        /// It gave an amount back, in minor units.
        case refund(amount: Int64)
        /// The buyer's bank disputes the payment.
        case dispute(DisputeNotice)

        /// Its name, as commands and events spell it.
        package var name: String {
            switch self {
            case .capture: "capture"
            case .void: "void"
            case .refund: "refund"
            case .dispute: "dispute"
            }
        }

        /// The amount in minor units; nil for a void.
        package var amount: Int64? {
            switch self {
            case .capture(let amount, isFinal: _), .refund(let amount): amount
            case .dispute(let dispute): dispute.amount
            case .void: nil
            }
        }
    }

    /// The payment.
    package let payment: PaymentID
    /// What was done to it.
    package let deed: Deed
    /// The PSP's name for it, under which its own word later changes nothing; nil if it is not known.
    package let reference: String?

    /// Makes a record.
    package init(_ deed: Deed, of payment: PaymentID, reference: String? = nil) {
        self.payment = payment
        self.deed = deed
        self.reference = reference
    }
}
