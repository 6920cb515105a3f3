import Domain

/// What an order can be told wherever it stands, and what of that it refuses: written down by hand, apart from the machine.
enum TransitionTable {
    /// Where an order can stand: every decision with every status that some payments give it.
    static let standings: [OrderStanding] = Decision.State.allCases.flatMap { decision in
        let statuses = Set(
            inputs.flatMap { payments in
                OrderTerms.Capture.allCases.map { OrderStatus(capture: $0, decision: decision, payments: payments) }
            }
        )
        return OrderStatus.allCases.filter(statuses.contains).map { OrderStanding(decision, $0) }
    }

    /// One payment, or two, in every state, with none, half or all of it held, captured and given back.
    private static let inputs: [[OrderStatus.Input]] = {
        let amounts: [Int64] = [0, 50, 100]
        let ones = PaymentState.allCases.flatMap { state in
            amounts.flatMap { held in
                amounts.flatMap { captured in
                    amounts.filter { $0 <= captured }.flatMap { refunded in
                        [true, false].map { isUnresolved in
                            OrderStatus.Input(
                                state: state,
                                amount: 100,
                                held: held,
                                captured: captured,
                                refunded: refunded,
                                isUnresolved: isUnresolved
                            )
                        }
                    }
                }
            }
        }
        let second = ones.filter { $0.refunded == 0 && !$0.isUnresolved && $0.held + $0.captured == 100 }
        return ones.map { [$0] } + ones.flatMap { one in second.map { [one, $0] } }
    }()

    /// Every cell of which it has to be said whether it is legal.
    static let cells: [OrderTransition] = standings.flatMap { standing in
        OrderInput.Kind.allCases.compactMap { input in
            // Placing is no input of an order that is stored.
            input == .placement && standing != OrderStanding(.pending, .processing)
                ? nil : OrderTransition(standing, input)
        }
    }

    /// Whether some order that stands there does what it is told; if not, every order that stands there refuses it.
    ///
    /// Whatever is heard, and whatever comes with time and instances, may come wherever an order stands: only requests are
    /// refused.
    static func isLegal(_ cell: OrderTransition) -> Bool {
        let (decision, status) = (cell.standing.decision, cell.standing.status)
        let isOver = status == .failed || status == .canceled
        switch cell.input {
        case .placement, .succeeded, .declined, .rejected, .pending, .actionRequired, .notSent, .unknown,
            .toldAuthorization, .toldCapture, .toldVoid, .toldRefund, .toldReversal, .toldLapse, .toldDispute,
            .webhookProblem, .webhookDismissal, .claim, .sending, .tick, .deferFollowUp, .leaseLost, .leaseUnbegun,
            .releaseLeases, .restored:
            return true
        // While anything is held and neither claimed nor lapsed, also beside what was captured and given back.
        case .capture, .release: return decision == .accepted && status != .paid
        // While nothing is captured of what counts.
        case .cancel: return decision == .pending || cell.standing == OrderStanding(.accepted, .authorized)
        case .cancelPayments: return decision == .pending || (decision == .accepted && status != .paid)
        case .refund: return decision == .accepted && status != .authorized && status != .refunded
        // Also of a payment that the order does not count on any more: its step is still the buyer's to end.
        case .complete:
            return status == .requiresAction || status == .compensating || (decision == .accepted && status != .paid)
        // What was refused may turn out to be done, wherever the order has come to.
        case .resolve: return true
        // Nothing is open where all is over.
        case .retry: return !isOver
        // While anything is held that nothing on its way claims.
        case .recordCapture, .recordVoid: return !isOver && status != .paid
        case .recordRefund: return !isOver
        // Also of what was given back.
        case .recordDispute: return true
        }
    }
}
