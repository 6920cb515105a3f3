// What an order can be told wherever it stands, as a table that tests hold the machine to: of debug builds only.
#if DEBUG
/// A cell of the table of what can happen to an order: where it stands, and what it is told there.
package struct OrderTransition: Hashable, Sendable, CustomStringConvertible {
    /// Where the order stands.
    package let standing: OrderStanding
    /// What it is told.
    package let input: OrderInput.Kind

    /// Makes a cell.
    package init(_ standing: OrderStanding, _ input: OrderInput.Kind) {
        self.standing = standing
        self.input = input
    }

    /// `accepted/paid refund`.
    package var description: String { "\(standing) \(input.rawValue)" }
}

/// A row of the table: an order's decision and its status.
package struct OrderStanding: Hashable, Sendable, CustomStringConvertible {
    /// The decision.
    package let decision: Decision.State
    /// The status.
    package let status: OrderStatus

    /// Makes a row.
    package init(_ decision: Decision.State, _ status: OrderStatus) {
        self.decision = decision
        self.status = status
    }

    /// Where an order stands.
    package init(of order: Order) { self.init(order.decision.state, order.status) }

    /// `accepted/paid`.
    package var description: String { "\(decision.rawValue)/\(status.rawValue)" }
}

extension OrderInput {
    /// A column of the table: an input without its particulars.
    ///
    /// An input, outcome, request or notice that is new is one here too, or ``OrderInput/kinds`` does not compile.
    package enum Kind: String, Sendable, CaseIterable {
        /// The placement.
        case placement
        /// An operation succeeded.
        case succeeded
        /// An operation was declined.
        case declined
        /// An operation was rejected.
        case rejected
        /// The PSP works on an operation.
        case pending
        /// The buyer has to do something first.
        case actionRequired = "action_required"
        /// Nothing left for the PSP.
        case notSent = "not_sent"
        /// An operation may have happened.
        case unknown
        /// A PSP told of an authorization.
        case toldAuthorization = "told_authorization"
        /// A PSP told of a capture.
        case toldCapture = "told_capture"
        /// A PSP told of a void.
        case toldVoid = "told_void"
        /// A PSP told of a refund.
        case toldRefund = "told_refund"
        /// A PSP told that what had succeeded failed after all.
        case toldReversal = "told_reversal"
        /// A PSP told that a hold lapsed.
        case toldLapse = "told_lapse"
        /// A PSP told of a dispute.
        case toldDispute = "told_dispute"
        /// A request to capture.
        case capture
        /// A request to release.
        case release
        /// A request to call the order off.
        case cancel
        /// A request to call payments off.
        case cancelPayments = "cancel_payments"
        /// A request to refund.
        case refund
        /// The buyer's step is said to be done.
        case complete
        /// An operator's word of an operation.
        case resolve
        /// An operator has something tried now.
        case retry
        /// An operator's word of a capture that nobody told of.
        case recordCapture = "record_capture"
        /// An operator's word of a void that nobody told of.
        case recordVoid = "record_void"
        /// An operator's word of a refund that nobody told of.
        case recordRefund = "record_refund"
        /// An operator's word of a dispute that nobody told of.
        case recordDispute = "record_dispute"
        /// A webhook about the order was not applied, or none is left.
        case webhookProblem = "webhook_problem"
        /// An operator has seen to such a webhook.
        case webhookDismissal = "webhook_dismissal"
        /// Somebody takes an operation in hand.
        case claim
        /// An operation is sent once more.
        case sending
        /// Time has passed.
        case tick
        /// More is to be heard first.
        case deferFollowUp = "defer_follow_up"
        /// A lease whose holder is taken for gone ends.
        case leaseLost = "lease_lost"
        /// A lease under which nothing began ends.
        case leaseUnbegun = "lease_unbegun"
        /// All leases of an instance end.
        case releaseLeases = "release_leases"
        /// The books were restored.
        case restored
    }

    /// The columns that an input belongs to: several if it tells several things.
    package var kinds: [Kind] {
        switch self {
        case .placement: [.placement]
        case .outcome(let report): [Kind(report.outcome)]
        case .notices(let batch): batch.items.map { Kind($0.notice.happening) }
        case .request(let request, by: _, abilities: _): [Kind(request)]
        case .webhookProblem: [.webhookProblem]
        case .webhookDismissal: [.webhookDismissal]
        case .claim: [.claim]
        case .sending: [.sending]
        case .tick: [.tick]
        case .deferFollowUp: [.deferFollowUp]
        case .endLease(_, lease: _, .lost): [.leaseLost]
        case .endLease(_, lease: _, .unbegun): [.leaseUnbegun]
        case .releaseLeases: [.releaseLeases]
        case .restored: [.restored]
        }
    }
}

extension OrderInput.Kind {
    fileprivate init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .succeeded: .succeeded
            case .declined: .declined
            case .rejected: .rejected
            case .pending: .pending
            case .actionRequired: .actionRequired
            case .notSent: .notSent
            case .unknown: .unknown
            }
    }

    fileprivate init(_ happening: Notice.Happening) {
        self =
            switch happening {
            case .outcome(.authorize, _): .toldAuthorization
            case .outcome(.capture, _): .toldCapture
            case .outcome(.void, _): .toldVoid
            case .outcome(.refund, _): .toldRefund
            case .reversed: .toldReversal
            case .lapsed: .toldLapse
            case .dispute: .toldDispute
            }
    }

    fileprivate init(_ request: OrderRequest) {
        self =
            switch request {
            case .capture: .capture
            case .release: .release
            case .cancel: .cancel
            case .cancelPayments: .cancelPayments
            case .refund: .refund
            case .complete: .complete
            case .resolve: .resolve
            case .retry: .retry
            case .record(let record, _):
                switch record.deed {
                case .capture: .recordCapture
                case .void: .recordVoid
                case .refund: .recordRefund
                case .dispute: .recordDispute
                }
            }
    }
}

extension OrderMachine {
    /// Hears of each input that was applied: where the order stood before, and whether it was refused.
    package typealias Witness = @Sendable (_ before: OrderStanding, _ input: OrderInput, _ isRefused: Bool) -> Void

    /// Who hears of the inputs that this task's machines are told; nobody unless a test asks.
    @TaskLocal package static var witness: Witness?
}

#endif
