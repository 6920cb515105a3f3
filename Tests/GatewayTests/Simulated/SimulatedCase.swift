import Domain

/// What the tokens of a trip tell real simulators to do, and what becomes of the order.
struct SimulatedCase: Sendable, CustomStringConvertible {
    let tokens: [String]
    var policy = Policy.allOrNothing
    let status: OrderStatus
    let states: [PaymentState]

    var description: String { tokens.joined(separator: " ") + " \(policy.name)" }

    private static let approve = "tok_approve"
    private static let paid: [PaymentState] = [.captured, .captured, .captured]
    private static let noHotel: [PaymentState] = [.voided, .declined, .voided]

    static let all = faults + refusals

    private static let faults =
        [
            "tok_approve", "tok_slow_50", "tok_close_before", "tok_close_after", "tok_500_before", "tok_500_after",
            "tok_malformed", "tok_duplicate", "tok_timeout_after", "tok_timeout_before", "tok_pending_100",
            "tok_approve+capture_close_after", "tok_approve+capture_500_before", "tok_approve+capture_timeout_after",
            "tok_approve+capture_pending_100", "tok_approve+capture_malformed+authorize_close_after",
        ]
        .map { SimulatedCase(tokens: [approve, $0, approve], status: .paid, states: paid) }

    private static let refusals = [
        SimulatedCase(tokens: [approve, "tok_decline_expired_card", approve], status: .failed, states: noHotel),
        SimulatedCase(
            tokens: ["tok_approve+void_close_after", "tok_decline_generic", "tok_approve+void_500_before"],
            status: .failed,
            states: noHotel
        ),
        SimulatedCase(
            tokens: ["tok_approve+void_pending_100", "tok_partial", "tok_approve+void_timeout_after"],
            status: .failed,
            states: noHotel
        ),
        SimulatedCase(
            tokens: ["tok_captured", "tok_decline_generic", approve],
            status: .failed,
            states: [.captured, .declined, .voided]
        ),
        SimulatedCase(
            tokens: ["tok_captured+refund_close_after", "tok_pending_fail_100", "tok_captured+refund_pending_100"],
            status: .failed,
            states: [.captured, .declined, .captured]
        ),
        SimulatedCase(
            tokens: ["tok_captured+refund_unsettled", "tok_reject_configuration", approve],
            status: .failed,
            states: [.captured, .rejected, .voided]
        ),
        SimulatedCase(
            tokens: [approve, "tok_decline_generic", "tok_approve+capture_close_after"],
            policy: .required(["airline"]),
            status: .partiallyPaid,
            states: [.captured, .declined, .captured]
        ),
        SimulatedCase(
            tokens: [approve, "tok_approve+capture_decline_generic", approve],
            policy: .required(["airline"]),
            status: .partiallyPaid,
            states: [.captured, .captureFailed, .captured]
        ),
    ]
}
