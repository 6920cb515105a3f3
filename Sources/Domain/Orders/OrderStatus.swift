/// Where an order stands: a pure function of its capture mode, its decision and its payments.
///
/// First match wins.
package enum OrderStatus: String, Sendable, CaseIterable {
    /// The buyer has to do something first.
    case requiresAction = "requires_action"
    /// Not decided, or captures are on their way.
    case processing
    /// Refused or canceled, and something is still held, captured or unresolved.
    case compensating
    /// Refused, and nothing is left.
    case failed
    /// Canceled, and nothing is left.
    case canceled
    /// Everything captured was given back.
    case refunded
    /// A part of what was captured was given back.
    case partiallyRefunded = "partially_refunded"
    /// Accepted, nothing captured yet.
    case authorized
    /// Some captured, some still capturable.
    case partiallyCaptured = "partially_captured"
    /// Every payment captured in full.
    case paid
    /// Less than the payable amount was captured, and no more can be: the policy left some out, a payment was called off or
    /// captured in part, or a capture failed.
    case partiallyPaid = "partially_paid"

    /// What the status needs to know of a payment.
    package struct Input: Hashable, Sendable {
        /// Where it stands.
        package var state: PaymentState
        /// The amount asked for, in minor units.
        package var amount: Int64
        /// What is still held, in minor units.
        package var held: Int64
        /// What is captured, given back or not.
        package var captured: Int64
        /// What is given back.
        package var refunded: Int64
        /// Whether anything asked for it may still come to something.
        package var isUnresolved: Bool

        /// Makes an input.
        package init(
            state: PaymentState,
            amount: Int64,
            held: Int64,
            captured: Int64,
            refunded: Int64,
            isUnresolved: Bool
        ) {
            self.state = state
            self.amount = amount
            self.held = held
            self.captured = captured
            self.refunded = refunded
            self.isUnresolved = isUnresolved
        }

        /// What the status needs to know of `payment`.
        package init(_ payment: Payment) {
            let captured = payment.captured
            self.init(
                state: payment.state,
                amount: payment.amount,
                held: payment.held,
                captured: captured,
                refunded: min(captured, payment.refunded),
                isUnresolved: payment.isUnresolved
            )
        }

        /// What the status needs to know of a payment that an accepted order does not count on: nothing of it is sold, and
        /// nothing of it can be captured.
        package static func leftOut(_ payment: Payment) -> Input {
            Input(
                state: .voided,
                amount: payment.amount,
                held: 0,
                captured: 0,
                refunded: 0,
                isUnresolved: payment.isUnresolved
            )
        }
    }

    /// The status of an order.
    package init(capture: OrderTerms.Capture, decision: Decision.State, payments: [Input]) {
        switch decision {
        case .pending, .cleared:
            self = payments.contains { $0.state == .requiresAction } ? .requiresAction : .processing
        case .refused, .canceled:
            let isAtRest = payments.allSatisfy { $0.held == 0 && $0.captured == $0.refunded && !$0.isUnresolved }
            self = !isAtRest ? .compensating : decision == .refused ? .failed : .canceled
        case .accepted:
            self = Self.accepted(payments)
        }
    }

    private static func accepted(_ payments: [Input]) -> OrderStatus {
        let captured = payments.reduce(0) { $0 + $1.captured }
        let refunded = payments.reduce(0) { $0 + $1.refunded }
        if captured > 0 && refunded == captured { return .refunded }
        if refunded > 0 { return .partiallyRefunded }
        if captured == 0 { return .authorized }
        if payments.contains(where: isCapturable) { return .partiallyCaptured }
        return payments.allSatisfy { $0.captured >= $0.amount } ? .paid : .partiallyPaid
    }

    /// Whether more of it can be captured; a capture that is not final leaves the rest held.
    private static func isCapturable(_ payment: Input) -> Bool {
        payment.state == .authorized || payment.state == .capturing || (payment.state == .captured && payment.held > 0)
    }

    /// Whether nothing will ever change any more by itself, and the reference may be used again.
    package var freesReference: Bool { self == .failed || self == .canceled }
}
