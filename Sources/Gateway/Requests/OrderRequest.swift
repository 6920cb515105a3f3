package import Domain

/// What somebody asks of an order behind its checkout.
package enum OrderRequest: Hashable, Sendable {
    /// Take what is held.
    case capture(CaptureRequest)
    /// Let go of what is held beyond what is captured.
    case release(ReleaseRequest)
    /// Call it off.
    case cancel
    /// Give money back.
    case refund(RefundRequest)
    /// The buyer has done the step: look what became of it.
    case complete(PaymentID)
    /// An operator found out what became of an operation.
    case resolve(OperationID, OperatorWord, Testimony)
    /// An operator wants tried now what rests in doubt or after a refusal: one operation, or all of the order's.
    case retry(OperationID?, by: String)
    /// An operator found out what a PSP did without telling us.
    case record(OperatorRecord, Testimony)

    /// Where an operator has a word from.
    package struct Testimony: Hashable, Sendable {
        /// Where it can be seen, for example the PSP's name for the object.
        package let evidence: String
        /// Why the operator says so.
        package let reason: String
        /// Who the operator is.
        package let person: String

        /// Makes a testimony.
        package init(evidence: String, reason: String, by person: String) {
            self.evidence = evidence
            self.reason = reason
            self.person = person
        }
    }
}

extension OrderMachine {
    /// Does what is asked, and answers the refund that was made of it.
    mutating func take(
        _ request: OrderRequest,
        ability: (FrozenRoute) -> CaptureAbility
    ) throws(RequestRefusal) -> RefundID? {
        switch request {
        case .capture(let capture): try self.capture(capture, ability: ability)
        case .release(let release): try self.release(release, ability: ability)
        case .cancel: try cancel()
        case .refund(let refund): return try self.refund(refund).id
        case .complete(let payment):
            try complete(payment)
            let authorization = order.payments.first { $0.id == payment }?.attempt.authorization.id
            if let authorization { _ = claim(authorization) }
        case .resolve(let operation, let word, let testimony):
            try resolve(
                operation,
                word,
                evidence: testimony.evidence,
                reason: testimony.reason,
                by: testimony.person
            )
        case .retry(let operation, let person): try retry(operation, by: person)
        case .record(let record, let testimony):
            try self.record(record, evidence: testimony.evidence, reason: testimony.reason, by: testimony.person)
        }
        return nil
    }
}
